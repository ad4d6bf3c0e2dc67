#pragma once
// Rung 3, `vector`: 16 bytes per load.
//
//   ./run hist_fast --method vector
//
// With one byte per load a warp has 32 bytes on their way; with a uint4 per lane it has 512, for the same
// number of instructions. That takes 16-byte alignment: pieces.cuh cuts off what stands before and after.
//
// Gain over `occupancy`: 0.0523 instead of 0.151 ms for 100 MiB of random bytes (H200, README.md). The limit
// has moved from the loads to the additions: the 32 lanes of a warp hit random bins, on average 3.5 of them
// in the busiest of the 32 banks, and a bank serves one at a time. (The expected greatest of 32 counts when
// 32 balls fall into 32 boxes is 3.53.)

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/grid.h"
#include "2_occupancy.cuh"
#include "pieces.cuh"

constexpr int vector_threads = 256;
static_assert(vector_threads == bin_count, "thread i of a block clears and merges bin i");

/// Counts the four bytes of a word.
inline __device__ void count_word(unsigned* bins, unsigned word) {
  for (int shift = 0; shift < 32; shift += 8) atomicAdd(&bins[(word >> shift) & 255], 1u);
}

/// Adds the counts to the 256 bins of `histogram`. Any grid, blocks of vector_threads threads.
__global__ void count_vectors(Pieces in, unsigned* histogram) {
  __shared__ unsigned bins[bin_count];
  bins[threadIdx.x] = 0;
  __syncthreads();

  unsigned byte;
  if (blockIdx.x == 0 && edge_byte(in, threadIdx.x, &byte)) atomicAdd(&bins[byte], 1u);
  const unsigned stride = blockDim.x * gridDim.x;
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < in.vector_count; i += stride) {
    const uint4 v = in.vectors[i];
    count_word(bins, v.x);
    count_word(bins, v.y);
    count_word(bins, v.z);
    count_word(bins, v.w);
  }

  __syncthreads();
  atomicAdd(&histogram[threadIdx.x], bins[threadIdx.x]);
}

class VectorHistogram {
 public:
  explicit VectorHistogram(std::size_t /*most*/) {}

  void run(const unsigned char* bytes, std::size_t size, unsigned* histogram) {
    const Pieces in(bytes, size);
    // A short input needs fewer blocks, but always one: for head and tail.
    const unsigned needed = std::max(1u, div_up(in.vector_count, unsigned{vector_threads}));
    HANDLE_ERROR(cudaMemsetAsync(histogram, 0, bin_count * sizeof *histogram));
    count_vectors<<<std::min(blocks_, needed), vector_threads>>>(in, histogram);
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  unsigned blocks_ = resident_blocks(count_vectors, vector_threads);
};
