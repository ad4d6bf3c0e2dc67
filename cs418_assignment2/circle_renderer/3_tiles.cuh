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

constexpr int tile_side = 16, tile_threads = tile_side * tile_side;

/// One thread per pixel, one block per tile.
template <class Shading>
__global__ void tiles_kernel(Circles circles, Canvas canvas) {
  __shared__ Prepared list[tile_threads];
  __shared__ BlockScanScratch<tile_threads, int> scratch;
  const int column = threadIdx.x + blockIdx.x * tile_side, row = threadIdx.y + blockIdx.y * tile_side;
  const int thread = threadIdx.y * tile_side + threadIdx.x;
  // Threads beyond the edge help to look at circles; they draw nothing.
  const bool inside = column < canvas.grid.size && row < canvas.grid.size;
  const float x = canvas.grid.center(column), y = canvas.grid.center(row);
  const int last = canvas.grid.size - 1;
  const int left = blockIdx.x * tile_side, bottom = blockIdx.y * tile_side;
  const Box tile = {canvas.grid.center(left), canvas.grid.center(min(left + tile_side - 1, last)),
                    canvas.grid.center(bottom), canvas.grid.center(min(bottom + tile_side - 1, last))};
  Blend pixel{};
  if (inside) {
    const float4 below = canvas.at(column, row);
    pixel = {below.x, below.y, below.z, 1};
  }

  for (int first = 0; first < circles.count; first += tile_threads) {
    const int i = first + thread;
    bool touches = false;
    if (i < circles.count) {
      const float4 shape = circles.shapes[i];
      touches = may_touch(shape.x, shape.y, shape.z * shape.z, tile);
    }
    int found;
    const int place = block_rank<tile_threads>(touches, scratch, found, thread);
    if (touches) list[place] = Shading::prepare(Shading::fetch(circles, i));
    __syncthreads();  // the list is complete
    for (int k = 0; k < found; ++k) {
      const float distance_squared = squared_distance(x - list[k].x, y - list[k].y);
      if (distance_squared <= list[k].radius_squared) Shading::blend(pixel, list[k], distance_squared);
    }
    __syncthreads();  // everybody is done with it
  }
  if (inside) canvas.at(column, row) = make_float4(pixel.red, pixel.green, pixel.blue, 1);
}

class TilesRenderer : public CudaRenderer {
 public:
  using CudaRenderer::CudaRenderer;

  void render() override {
    const dim3 block(tile_side, tile_side);
    const dim3 grid(div_up(size(), tile_side), div_up(size(), tile_side));
    with_shading_in_order(scene(), [&](auto shading) {
      using Shading = decltype(shading);
      tiles_kernel<Shading><<<grid, block>>>(device_circles(), canvas());
    });
    HANDLE_ERROR(cudaGetLastError());
  }
};

inline constexpr Method tiles_method = {.name = "tiles",
                                        .help = "16 x 16 tiles, an ordered list in shared memory",
                                        .make = make_renderer<TilesRenderer>};
