#pragma once
// The kernels of the sample `saxpy`, z = a x + y, used by its benchmark too. 12 bytes move for each element
// and one multiplication: memory decides.

#include <cuda_runtime.h>

#include <cstddef>

// One element a thread. The grid has at least n threads.
__global__ void saxpy_simple(std::size_t n, float a, const float* x, const float* y, float* z) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) z[i] = a * x[i] + y[i];
}

// Four elements a thread: each access moves 16 bytes, so an access instruction of the warp moves 512, and
// both loads are on their way before the first is used. The arrays are aligned to 16 bytes; the grid has at
// least n / 4 threads, rounded up.
__global__ void saxpy_vector(std::size_t n, float a, const float* __restrict__ x, const float* __restrict__ y,
                             float* __restrict__ z) {
  const std::size_t i = 4 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
  if (i + 4 <= n) {
    const float4 four_x = *reinterpret_cast<const float4*>(x + i);
    const float4 four_y = *reinterpret_cast<const float4*>(y + i);
    *reinterpret_cast<float4*>(z + i) = {a * four_x.x + four_y.x, a * four_x.y + four_y.y,
                                         a * four_x.z + four_y.z, a * four_x.w + four_y.w};
  } else {
    for (std::size_t k = i; k < n; k++) z[k] = a * x[k] + y[k];
  }
}
