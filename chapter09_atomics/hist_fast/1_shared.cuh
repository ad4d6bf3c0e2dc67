#pragma once
// Rung 1, `shared`: the book's kernel, as in ../hist_gpu_shmem_atomics.cu.
//
//   ./run hist_fast --method shared
//
// Each block counts in a histogram of its own in shared memory, then adds it to the whole. The book found
// twice as many blocks as multiprocessors to be best; `./run hist_fast --sweep` asks today's GPU.

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../hist_common.h"

constexpr int shared_threads = 256;
static_assert(shared_threads == bin_count, "thread i of a block clears and merges bin i");

/// Adds the counts of `size` bytes to the 256 bins of `histogram`. Any grid, blocks of shared_threads
/// threads.
static __global__ void count_shared(const unsigned char* bytes, std::size_t size, unsigned* histogram) {
  __shared__ unsigned block_histogram[bin_count];
  block_histogram[threadIdx.x] = 0;
  __syncthreads();

  const std::size_t stride = std::size_t{blockDim.x} * gridDim.x;
  for (std::size_t i = threadIdx.x + std::size_t{blockIdx.x} * blockDim.x; i < size; i += stride)
    atomicAdd(&block_histogram[bytes[i]], 1u);

  __syncthreads();
  atomicAdd(&histogram[threadIdx.x], block_histogram[threadIdx.x]);
}

/// Clears the histogram and counts with `blocks` blocks: two pieces of work for the device.
inline void run_shared(unsigned blocks, const unsigned char* bytes, std::size_t size, unsigned* histogram) {
  HANDLE_ERROR(cudaMemsetAsync(histogram, 0, bin_count * sizeof *histogram));
  count_shared<<<blocks, shared_threads>>>(bytes, size, histogram);
  HANDLE_ERROR(cudaGetLastError());
}

/// A rung, as methods.h wants it: made once, for up to `most` bytes, then run() for each histogram.
class SharedHistogram {
 public:
  explicit SharedHistogram(std::size_t /*most*/) {}  // needs no scratch memory

  void run(const unsigned char* bytes, std::size_t size, unsigned* histogram) {
    run_shared(blocks_, bytes, size, histogram);
  }

 private:
  unsigned blocks_ = 2 * multiprocessors();
};
