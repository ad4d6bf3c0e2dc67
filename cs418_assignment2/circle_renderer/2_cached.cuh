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
#include "tile_pixel.cuh"

/// One thread per pixel, blocks of 16 x 16.
template <class Shading>
__global__ void cached_kernel(Circles circles, Canvas canvas) {
  __shared__ Prepared cache[tile_threads];
  TilePixel<Shading> pixel(canvas);

  for (int first = 0; first < circles.count; first += tile_threads) {
    const int i = first + pixel.thread();
    if (i < circles.count) cache[pixel.thread()] = Shading::prepare(Shading::fetch(circles, i));
    __syncthreads();  // the cache is complete
    const int cached = min(tile_threads, circles.count - first);
    pixel.blend(cache, cached);
    __syncthreads();  // everybody is done with it
  }
  pixel.store(canvas);
}

class CachedRenderer : public CudaRenderer {
 public:
  using CudaRenderer::CudaRenderer;

  void render() override {
    with_shading_in_order(scene(), [&](auto shading) {
      using Shading = decltype(shading);
      cached_kernel<Shading><<<tile_grid(size()), tile_block()>>>(device_circles(), canvas());
    });
    HANDLE_ERROR(cudaGetLastError());
  }
};

inline constexpr CircleMethod cached_method = {.name = "cached",
                                               .help = "as pixels, circles cached in shared memory",
                                               .make = make_renderer<CachedRenderer>};
