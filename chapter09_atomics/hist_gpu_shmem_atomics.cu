// hist_gpu_shmem_atomics - how often each byte value occurs, with atomics on shared memory.
//
// CUDA by Example, chapter 9 (atomics), section 9.4.2, "Histogram Kernel Using Shared and Global
// Memory Atomics". `diff hist_gpu_gmem_atomics.cu hist_gpu_shmem_atomics.cu` shows the lesson.
// Terms (docs/glossary.md): atomics, shared memory, barrier, grid-stride loop.
//
//   ./run hist_gpu_shmem_atomics                                       100 MiB of random bytes
//   ./run hist_gpu_shmem_atomics --input README.md --output bytes.png  a chart of a file's bytes
//   ./run hist_gpu_shmem_atomics --blocks-per-sm 8 --bytes 1000000 --benchmark
//
// No window. What to see: two phases and a few lines more, yet many times faster, because only the
// threads of one block share a bin.
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/timing.h"
#include "hist_common.h"

constexpr int threads_per_block = 256;
static_assert(threads_per_block == bin_count, "thread i of a block clears and merges bin i");

// Each block counts its bytes in a histogram of its own in shared memory, then adds that to the
// whole histogram. That is one global atomic per bin and block instead of one per byte.
//
// Thread t of T in the whole grid counts bytes t, t + T, t + 2T, ... (a grid-stride loop). Any size
// fits any grid, and at every moment the threads of a warp read neighboring bytes.
__global__ void histogram_kernel(const unsigned char* bytes, size_t size, unsigned int* histogram) {
  __shared__ unsigned int block_histogram[bin_count];
  block_histogram[threadIdx.x] = 0;
  __syncthreads();  // clear every bin before any thread counts

  const size_t stride = size_t{blockDim.x} * gridDim.x;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < size; i += stride)
    atomicAdd(&block_histogram[bytes[i]], 1u);

  __syncthreads();  // count all of the block's bytes before any bin is merged
  atomicAdd(&histogram[threadIdx.x], block_histogram[threadIdx.x]);
}

// The CPU reference, reference_histogram(), is in hist_common.h.

int main(int argc, char** argv) {
  HistogramOptions options("hist_gpu_shmem_atomics", Common::benchmark | Common::device);
  int blocks_per_sm = 2;  // the book's
  options.add("--blocks-per-sm", blocks_per_sm, "blocks per multiprocessor of the device", 1, 1024);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const std::vector<unsigned char> bytes = options.read_input();

  unsigned char* dev_bytes;
  unsigned int* dev_histogram;
  HANDLE_ERROR(cudaMalloc(&dev_bytes, bytes.size()));
  HANDLE_ERROR(cudaMalloc(&dev_histogram, bin_count * sizeof(unsigned int)));

  int multiprocessors;
  HANDLE_ERROR(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, options.device));
  const int blocks = multiprocessors * blocks_per_sm;
  auto count = [&] {
    HANDLE_ERROR(cudaMemset(dev_histogram, 0, bin_count * sizeof(unsigned int)));
    histogram_kernel<<<blocks, threads_per_block>>>(dev_bytes, bytes.size(), dev_histogram);
    HANDLE_ERROR(cudaGetLastError());
  };

  // The time with both copies, as in the book, and the time of the kernel alone.
  Histogram histogram;
  EventTimer total;
  EventTimer kernel;
  total.start();
  HANDLE_ERROR(cudaMemcpy(dev_bytes, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  kernel.start();
  count();
  const float kernel_ms = kernel.stop();
  HANDLE_ERROR(cudaMemcpy(histogram.data(), dev_histogram, bin_count * sizeof(unsigned int),
                          cudaMemcpyDeviceToHost));
  const float total_ms = total.stop();

  const bool passed = report_histogram(options, histogram, bytes, total_ms, kernel_ms);
  if (options.benchmark && passed)
    print_benchmark("histogram of " + std::to_string(bytes.size()) + " bytes",
                    "shared memory atomics", count, static_cast<double>(bytes.size()));

  HANDLE_ERROR(cudaFree(dev_histogram));
  HANDLE_ERROR(cudaFree(dev_bytes));
  return verdict(options.name(), passed);
}
