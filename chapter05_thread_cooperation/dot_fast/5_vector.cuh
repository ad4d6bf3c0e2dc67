#pragma once
// vector - vectorized loads of 16 bytes, four in flight per thread.
//
//   ./run dot_fast --method vector
//
// A thread of `atomic` has two loads of 4 bytes in flight. Here it starts four loads of 16 bytes
// before it multiplies: eight times the bytes, and a quarter of the instructions. The memory itself
// is now the limit.
//
// Gain over atomic on an H200: 2^24 elements 0.0398 -> 0.0336, 2^28 elements 0.567 -> 0.466 ms
//
// Needed: 2_occupancy.cuh (resident_blocks()), 3_shuffles.cuh (block_sum()).

#include <algorithm>
#include <cstddef>

#include "../../common/book.h"
#include "../../common/grid.h"
#include "2_occupancy.cuh"
#include "3_shuffles.cuh"

namespace dot_fast {

constexpr unsigned pairs = 2;  // of float4, one from a and one from b, that a thread has in flight

/// *result += the sum of a[i] * b[i]; a and b aligned to 16 bytes, as cudaMalloc aligns. Any
/// grid, shuffle_threads per block.
static __global__ void dot_vector(const float* a, const float* b, size_t n, float* result) {
  const auto* const a4 = reinterpret_cast<const float4*>(a);
  const auto* const b4 = reinterpret_cast<const float4*>(b);
  const size_t vectors = n / 4;
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  const size_t thread = threadIdx.x + size_t{blockIdx.x} * blockDim.x;

  float sum = 0;
  for (size_t first = thread; first < vectors; first += pairs * stride) {
    float4 x[pairs] = {};
    float4 y[pairs] = {};
#pragma unroll
    for (unsigned k = 0; k < pairs; ++k)
      if (first + k * stride < vectors) {
        x[k] = a4[first + k * stride];
        y[k] = b4[first + k * stride];
      }
#pragma unroll
    for (unsigned k = 0; k < pairs; ++k)
      sum += (x[k].x * y[k].x + x[k].y * y[k].y) + (x[k].z * y[k].z + x[k].w * y[k].w);
  }
  // Up to three elements after the last vector.
  const size_t rest = 4 * vectors;
  if (thread < n - rest) sum += a[rest + thread] * b[rest + thread];

  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

class Vector {
 public:
  void run(const float* a, const float* b, size_t n, float* result,
           cudaStream_t stream = nullptr) const {
    // A short input needs fewer blocks.
    const size_t needed = div_up(n, size_t{4 * pairs * shuffle_threads});
    const auto blocks = static_cast<unsigned>(std::clamp<size_t>(needed, 1, blocks_));
    HANDLE_ERROR(cudaMemsetAsync(result, 0, sizeof *result, stream));
    dot_vector<<<blocks, shuffle_threads, 0, stream>>>(a, b, n, result);
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  int blocks_ = resident_blocks(dot_vector, shuffle_threads);
};

}  // namespace dot_fast
