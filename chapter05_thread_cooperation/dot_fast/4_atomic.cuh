#pragma once
// atomic - one atomicAdd per block; the result stays on the device.
//
//   ./run dot_fast --method atomic
//
// The book's GPU had no atomicAdd for float, so the CPU added up the sums of the blocks. That took
// two copies, and the host waited. Now each block adds its own sum to the result. The L2 cache does
// these thousand additions to one address. Their order varies: where additions round, the last bits
// vary from run to run.
//
// Gain over shuffles on an H200: 2^24 elements 0.0554 -> 0.0398, 2^28 elements 0.584 -> 0.567 ms
//
// Needed: 2_occupancy.cuh (resident_blocks()), 3_shuffles.cuh (block_sum()).

#include <cstddef>

#include "../../common/book.h"
#include "2_occupancy.cuh"
#include "3_shuffles.cuh"

namespace dot_fast {

/// *result += the sum of a[i] * b[i]. Any grid, shuffle_threads per block.
static __global__ void dot_atomic(const float* a, const float* b, size_t n, float* result) {
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  float sum = 0;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < n; i += stride)
    sum += a[i] * b[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

class Atomic {
 public:
  void run(const float* a, const float* b, size_t n, float* result,
           cudaStream_t stream = nullptr) const {
    HANDLE_ERROR(cudaMemsetAsync(result, 0, sizeof *result, stream));
    dot_atomic<<<blocks_, shuffle_threads, 0, stream>>>(a, b, n, result);
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  int blocks_ = resident_blocks(dot_atomic, shuffle_threads);
};

}  // namespace dot_fast
