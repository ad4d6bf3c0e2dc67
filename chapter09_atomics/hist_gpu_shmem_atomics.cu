// hist_gpu_shmem_atomics - a histogram of bytes with atomic additions on shared memory.
//
// CUDA by Example, chapter 9 (atomics), "Histogram Kernel Using Shared and Global Memory Atomics".
// `diff hist_gpu_gmem_atomics.cu hist_gpu_shmem_atomics.cu` shows the difference.
//
//   hist_gpu_shmem_atomics                  100 MiB of random bytes
//   hist_gpu_shmem_atomics --input FILE --output histogram.png
//   hist_gpu_shmem_atomics --check
//
// What to see: two phases and twice the code, yet many times faster: only the threads of one block share a
// bin.
#include <cstdio>
#include <vector>

#include "../common/book.h"
#include "../common/device_memory.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "hist_common.h"

constexpr int threads_per_block = 256;
static_assert(threads_per_block == bin_count, "thread i of a block clears and merges bin i");

// Each block counts its bytes in a histogram of its own in shared memory, then adds that to the whole: one
// global atomic a bin and block instead of one a byte.
//
// Thread t of T in the whole grid counts bytes t, t + T, t + 2T, ... (a grid-stride loop): any size fits any
// grid, and at every moment the threads of a warp read neighbouring bytes.
__global__ void histogram_kernel(const unsigned char* bytes, size_t size, unsigned int* histogram) {
  __shared__ unsigned int block_histogram[bin_count];
  block_histogram[threadIdx.x] = 0;
  __syncthreads();  // no bin may be counted into before it is cleared

  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x; i < size; i += stride)
    atomicAdd(&block_histogram[bytes[i]], 1u);

  __syncthreads();  // no bin may be merged before all of the block's bytes are counted
  atomicAdd(&histogram[threadIdx.x], block_histogram[threadIdx.x]);
}

int main(int argc, char** argv) {
  Options options("hist_gpu_shmem_atomics", "A histogram of bytes with atomics on shared memory.",
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
    table.add("shared memory atomics", measure(count), static_cast<double>(bytes.size()));
    table.print();
  }
  return code;
}
