#pragma once
// shared - privatization per block: the book's kernel, twice as many blocks as multiprocessors.
//
//   ./run hist_fast --method shared
//
// Each block has a histogram of its own (the kernel is that of ../hist_gpu_shmem_atomics.cu). The
// book found this number of blocks to be the best. To measure it again:
//
//   ./run hist_fast --sweep --bytes 1000000
//
// Time on an H200: 100 MiB 0.593 ms
//
// Needed: ../hist_common.h (bin_count).

#include <cstddef>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../hist_common.h"

namespace hist_fast {

constexpr unsigned shared_threads = 256;
static_assert(shared_threads == bin_count, "thread i of a block clears and merges bin i");

/// Adds the counts of `size` bytes to the bins of `histogram`. Any grid, shared_threads per
/// block.
static __global__ void count_shared(const unsigned char* bytes, size_t size, unsigned* histogram) {
  __shared__ unsigned block_histogram[bin_count];
  block_histogram[threadIdx.x] = 0;
  __syncthreads();

  const size_t stride = size_t{blockDim.x} * gridDim.x;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < size; i += stride)
    atomicAdd(&block_histogram[bytes[i]], 1u);

  __syncthreads();
  atomicAdd(&histogram[threadIdx.x], block_histogram[threadIdx.x]);
}

/// Clears the histogram and counts with `blocks` blocks.
inline void run_shared(unsigned blocks, const unsigned char* bytes, size_t size,
                       unsigned* histogram, cudaStream_t stream = nullptr) {
  HANDLE_ERROR(cudaMemsetAsync(histogram, 0, bin_count * sizeof *histogram, stream));
  count_shared<<<blocks, shared_threads, 0, stream>>>(bytes, size, histogram);
  HANDLE_ERROR(cudaGetLastError());
}

class SharedHistogram {
 public:
  void run(const unsigned char* bytes, size_t size, unsigned* histogram,
           cudaStream_t stream = nullptr) const {
    run_shared(blocks_, bytes, size, histogram, stream);
  }

 private:
  unsigned blocks_ = 2 * multiprocessors();
};

}  // namespace hist_fast
