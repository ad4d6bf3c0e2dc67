#pragma once
// Rung 3, "tiles": a block draws a tile, a square of 16 x 16 pixels. In each round its 256 threads look at
// 256 circles, one each, and those that touch the tile go into a list in shared memory, in order. Then every
// thread is a pixel and goes through the list, which is short. This is the solution most students hand in.
//
// The list must keep the order: a thread's place in it is the number of threads before it that also have
// something to put there. That is an exclusive prefix sum over the block (block_scan.cuh).
//
// What it gains over pixels: 256 pixels share the look at a circle. rand1M: 13.5 ms instead of 985 on an H200
// (README.md, "Results"). And still every one of 4096 tiles looks at every circle.

#include "../device/block_scan.cuh"
#include "cuda_renderer.cuh"
#include "method.cuh"
#include "shading.cuh"
#include "tile_pixel.cuh"

/// One thread per pixel, one block per tile.
template <class Shading>
__global__ void tiles_kernel(Circles circles, Canvas canvas) {
  __shared__ Prepared list[tile_threads];
  __shared__ BlockScanScratch<tile_threads, int> scratch;
  TilePixel<Shading> pixel(canvas);

  for (int first = 0; first < circles.count; first += tile_threads) {
    const int i = first + pixel.thread();
    bool touches = false;
    if (i < circles.count) {
      const float4 shape = circles.shapes[i];
      touches = may_touch(shape.x, shape.y, shape.z * shape.z, pixel.tile());
    }
    int found;
    const int place = block_rank<tile_threads>(touches, scratch, found, pixel.thread());
    if (touches) list[place] = Shading::prepare(Shading::fetch(circles, i));
    __syncthreads();  // the list is complete
    pixel.blend(list, found);
    __syncthreads();  // everybody is done with it
  }
  pixel.store(canvas);
}

class TilesRenderer : public CudaRenderer {
 public:
  using CudaRenderer::CudaRenderer;

  void render() override {
    with_shading_in_order(scene(), [&](auto shading) {
      using Shading = decltype(shading);
      tiles_kernel<Shading><<<tile_grid(size()), tile_block()>>>(device_circles(), canvas());
    });
    HANDLE_ERROR(cudaGetLastError());
  }
};

inline constexpr CircleMethod tiles_method = {.name = "tiles",
                                              .help = "16 x 16 tiles, an ordered list in shared memory",
                                              .make = make_renderer<TilesRenderer>};
