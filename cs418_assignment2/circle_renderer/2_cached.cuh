#pragma once
// Rung 2, "cached": as pixels, with the circles in shared memory. All pixels of a block go through the same
// circles, so the handout's question "what data is reused?" suggests it: in each round the 256 threads of a
// block load 256 circles, one each, and work out what does not depend on the pixel; then every pixel goes
// through the 256.
//
// What it gains over pixels, and why not more: there the 32 threads of a warp already read the same address,
// which is one load from the L1 cache for all of them, so there was hardly any traffic to save. Each pixel
// still tests every circle, and that is where the time goes. What helps is to test fewer: 3_tiles.cuh.
// Measured: README.md.

#include "cuda_renderer.cuh"
#include "method.cuh"
#include "shading.cuh"

constexpr int cached_side = 16, cached_threads = cached_side * cached_side;

/// One thread per pixel, blocks of 16 x 16.
template <class Shading>
__global__ void cached_kernel(Circles circles, Canvas canvas) {
  __shared__ Prepared cache[cached_threads];
  const int column = threadIdx.x + blockIdx.x * cached_side, row = threadIdx.y + blockIdx.y * cached_side;
  const int thread = threadIdx.y * cached_side + threadIdx.x;
  // Threads beyond the edge help to load circles; they draw nothing.
  const bool inside = column < canvas.grid.size && row < canvas.grid.size;
  const float x = canvas.grid.center(column), y = canvas.grid.center(row);
  Blend pixel{};
  if (inside) {
    const float4 below = canvas.at(column, row);
    pixel = {below.x, below.y, below.z, 1};
  }

  for (int first = 0; first < circles.count; first += cached_threads) {
    const int i = first + thread;
    if (i < circles.count) cache[thread] = Shading::prepare(Shading::fetch(circles, i));
    __syncthreads();  // the cache is complete
    const int cached = min(cached_threads, circles.count - first);
    for (int k = 0; k < cached; ++k) {
      const float distance_squared = squared_distance(x - cache[k].x, y - cache[k].y);
      if (distance_squared <= cache[k].radius_squared) Shading::blend(pixel, cache[k], distance_squared);
    }
    __syncthreads();  // everybody is done with it
  }
  if (inside) canvas.at(column, row) = make_float4(pixel.red, pixel.green, pixel.blue, 1);
}

class CachedRenderer : public CudaRenderer {
 public:
  using CudaRenderer::CudaRenderer;

  void render() override {
    const dim3 block(cached_side, cached_side);
    const dim3 grid(div_up(size(), cached_side), div_up(size(), cached_side));
    with_shading_in_order(scene(), [&](auto shading) {
      using Shading = decltype(shading);
      cached_kernel<Shading><<<grid, block>>>(device_circles(), canvas());
    });
    HANDLE_ERROR(cudaGetLastError());
  }
};

inline constexpr Method cached_method = {.name = "cached",
                                         .help = "as pixels, circles cached in shared memory",
                                         .make = make_renderer<CachedRenderer>};
