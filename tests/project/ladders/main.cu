// Two files that include the rungs of all ladders, and the scans in a stream of their own.
#include <cstdio>

#include "all_ladders.h"
#include "elsewhere.h"

int main() {
  constexpr unsigned n = 10'000;
  const DeviceMemory<unsigned> in(n);
  const DeviceMemory<unsigned> out(n);
  cudaStream_t stream;
  HANDLE_ERROR(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  HANDLE_ERROR(cudaMemsetAsync(in.get(), 1, in.bytes(), stream));
  bool passed = true;
  const auto check = [&](auto method) {
    unsigned last = 0;
    method.run(in.get(), out.get(), n, stream);
    HANDLE_ERROR(
        cudaMemcpyAsync(&last, out.get() + n - 1, sizeof last, cudaMemcpyDeviceToHost, stream));
    HANDLE_ERROR(cudaStreamSynchronize(stream));
    passed &= last == 0x01010101u * (n - 1);
  };
  check(scan::SweepScan(n));
  check(scan::BlocksScan(n));
  check(scan::LookbackScan(n));
  check(scan::ExchangeScan(n));
  check(scan::PipelineScan(n));
  const int* numbers = reinterpret_cast<const int*>(in.get());
  int* indices = reinterpret_cast<int*>(out.get());
  passed &= repeats_elsewhere(numbers, n, indices, stream) == n - 1;
  passed &= find_repeats::ScanRepeats(n).run(numbers, n, indices, stream) == n - 1;
  passed &= find_repeats::BlocksRepeats(n).run(numbers, n, indices, stream) == n - 1;
  HANDLE_ERROR(cudaStreamDestroy(stream));
  std::puts(passed ? "PASS all_ladders" : "FAIL all_ladders");
  return passed ? 0 : 1;
}
