// hist_gpu_gmem_atomics - a histogram of bytes with atomic additions on global memory.
//
// CUDA by Example, chapter 9 (atomics), "Histogram Kernel Using Global Memory Atomics".
// `diff hist_gpu_gmem_atomics.cu hist_gpu_shmem_atomics.cu` shows the cure for what is slow here.
//
//   hist_gpu_gmem_atomics                  100 MiB of random bytes
//   hist_gpu_gmem_atomics --input FILE --output histogram.png
//   hist_gpu_gmem_atomics --check
//
// What to see: correct, but thousands of threads queue for 256 addresses in a handful of cache lines.
#include <cstdio>
#include <vector>

#include "../common/book.h"
#include "../common/device_memory.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "hist_common.h"

constexpr int threads_per_block = 256;

// Thread t of T in the whole grid counts bytes t, t + T, t + 2T, ... (a grid-stride loop): any size fits any
// grid, and at every moment the threads of a warp read neighbouring bytes.
__global__ void histogram_kernel(const unsigned char* bytes, size_t size, unsigned int* histogram) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x; i < size; i += stride)
    atomicAdd(&histogram[bytes[i]], 1u);
}

int main(int argc, char** argv) {
  Options options("hist_gpu_gmem_atomics", "A histogram of bytes with atomics on global memory.",
                  Common::seed | Common::check | Common::benchmark | Common::device);
  HistogramOptions histogram_options;
  add_histogram_options(options, histogram_options, true);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const std::vector<unsigned char> bytes = histogram_input(options, histogram_options);

  DeviceMemory<unsigned char> device_bytes(bytes.size());
  DeviceMemory<unsigned int> device_histogram(bin_count);
  int multiprocessors;
  HANDLE_ERROR(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, options.device));
  const int blocks = multiprocessors * histogram_options.blocks_per_sm;
  auto count = [&] {
    HANDLE_ERROR(cudaMemset(device_histogram.get(), 0, device_histogram.bytes()));
    histogram_kernel<<<blocks, threads_per_block>>>(device_bytes.get(), bytes.size(), device_histogram.get());
    HANDLE_ERROR(cudaGetLastError());
  };

  // As in the book: the time with both copies, and here beside it the time of the kernel alone.
  Histogram histogram;
  EventTimer with_copies, alone;
  with_copies.start();
  HANDLE_ERROR(cudaMemcpy(device_bytes.get(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  alone.start();
  count();
  const float kernel_ms = alone.stop();
  HANDLE_ERROR(
      cudaMemcpy(histogram.data(), device_histogram.get(), device_histogram.bytes(), cudaMemcpyDeviceToHost));
  const float total_ms = with_copies.stop();
  std::printf("Time to generate: %.3f ms with copies, %.3f ms on the device (%.1f GB/s)\n", total_ms,
              kernel_ms, bytes.size() / kernel_ms * 1e-6);

  const int code = report_histogram(options, histogram, reference_histogram(bytes), bytes.size());
  if (options.benchmark && code == 0) {
    BenchmarkTable table("histogram of " + std::to_string(bytes.size()) + " bytes");
    table.add("global memory atomics", measure(count), static_cast<double>(bytes.size()));
    table.print();
  }
  return code;
}
