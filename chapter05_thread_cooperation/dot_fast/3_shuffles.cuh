#pragma once
// shuffles - warp shuffles instead of shared memory, one barrier instead of nine.
//
//   ./run dot_fast --method shuffles
//
// The lanes of a warp read one another's registers without a barrier. So 32 sums become one in five
// steps. Shared memory holds one sum per warp. The sums of the blocks go to the host as in `book`.
//
// Gain over occupancy on an H200: 2^24 elements 0.0553 -> 0.0554, 2^28 elements 0.585 -> 0.584 ms
// No gain: a block adds up thousands of elements before its tree begins, and with short vectors the
// copy to the host takes most of the time. `atomic` needs block_sum().
//
// Needed: 1_book.cuh (BlockSums), 2_occupancy.cuh (resident_blocks()).

#include <cstddef>

#include "1_book.cuh"
#include "2_occupancy.cuh"

namespace dot_fast {

constexpr int warp_lanes = 32;
constexpr unsigned all_lanes = 0xffffffff;
constexpr int shuffle_threads = 256;

/// The sum of `value` over the lanes of a warp, in lane 0.
static __device__ float warp_sum(float value) {
  for (int distance = warp_lanes / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(all_lanes, value, distance);
  return value;
}

/// The sum of `value` over the shuffle_threads threads of a block, in thread 0.
static __device__ float block_sum(float value) {
  constexpr unsigned warps = shuffle_threads / warp_lanes;
  __shared__ float warp_sums[warps];
  const unsigned lane = threadIdx.x % warp_lanes;
  const unsigned warp = threadIdx.x / warp_lanes;

  const float sum_of_warp = warp_sum(value);
  if (lane == 0) warp_sums[warp] = sum_of_warp;
  __syncthreads();
  if (warp > 0) return 0;  // the first warp does the rest

  float summand = 0;
  if (lane < warps) summand = warp_sums[lane];
  return warp_sum(summand);
}

/// partial[block] = the block's share of the sum of a[i] * b[i]. Any grid, shuffle_threads per
/// block.
static __global__ void dot_shuffles(const float* a, const float* b, size_t n, float* partial) {
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  float sum = 0;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < n; i += stride)
    sum += a[i] * b[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

class Shuffles {
 public:
  void run(const float* a, const float* b, size_t n, float* result) {
    dot_shuffles<<<blocks_, shuffle_threads>>>(a, b, n, sums_.get());
    HANDLE_ERROR(cudaGetLastError());
    sums_.add_up(result);
  }

 private:
  int blocks_ = resident_blocks(dot_shuffles, shuffle_threads);
  BlockSums sums_{blocks_};
};

}  // namespace dot_fast
