// Two units with the headers of all ladders, and the scans in a stream of their own (ctest:
// cs418_scan.elsewhere).
#include "all_ladders.h"

#include <cstdio>

int main() {
  constexpr unsigned n = 10'000;
  const DeviceMemory<unsigned> in(n), out(n);
  cudaStream_t stream;
  HANDLE_ERROR(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  HANDLE_ERROR(cudaMemsetAsync(in.get(), 1, in.bytes(), stream));
  bool passed = true;
  const auto check = [&](auto scan) {
    unsigned last = 0;
    scan.run(in.get(), out.get(), n, stream);
    HANDLE_ERROR(cudaMemcpyAsync(&last, out.get() + n - 1, sizeof last, cudaMemcpyDeviceToHost, stream));
    HANDLE_ERROR(cudaStreamSynchronize(stream));
    passed &= last == 0x01010101u * (n - 1);
  };
  check(SweepScan(n));
  check(BlocksScan(n));
  check(LookbackScan(n));
  check(ExchangeScan(n));
  check(PipelineScan(n));
  const int* numbers = reinterpret_cast<const int*>(in.get());
  int* indices = reinterpret_cast<int*>(out.get());
  passed &= repeats_elsewhere(numbers, n, indices, stream) == n - 1;
  passed &= ScanRepeats(n).run(numbers, n, indices) == n - 1;
  passed &= BlocksRepeats(n).run(numbers, n, indices, stream) == n - 1;
  HANDLE_ERROR(cudaStreamDestroy(stream));
  std::puts(passed ? "PASS elsewhere" : "FAIL elsewhere");
  return passed ? 0 : 1;
}
