#pragma once
// Rung 4, "filled": as tiles, but a list that is still short is not drawn yet. The rounds of looking at
// circles go on until the buffer in shared memory has no room for another round's 256; only then do the
// threads turn into pixels.
//
// What it gains over tiles, and why not more: a round in which nothing or little was found costs one barrier
// (that of the prefix sum) instead of three, and the threads wait for one another less often. But every tile
// still looks at every circle, and every circle that touches the tile is still tested by every pixel: the
// work is the same, only the waiting is less. Where nearly every round finds many (biglittle), there is
// nothing to gain. Measured: README.md.

#include "../device/block_scan.cuh"
#include "cuda_renderer.cuh"
#include "method.cuh"
#include "shading.cuh"
#include "tile_pixel.cuh"

// Circles in the buffer: two rounds. 16 KiB, so the eight blocks of 256 threads that a multiprocessor takes
// still fit beside one another.
constexpr int filled_capacity = 2 * tile_threads;

/// One thread per pixel, one block per tile.
template <class Shading>
__global__ void filled_kernel(Circles circles, Canvas canvas) {
  __shared__ Prepared buffer[filled_capacity];
  // Two, which take turns: so no barrier is needed between two prefix sums (block_scan.cuh).
  __shared__ BlockScanScratch<tile_threads, int> scratch[2];
  TilePixel<Shading> pixel(canvas);

  int waiting = 0, turn = 0;  // circles in the buffer; the same in all threads
  for (int first = 0; first < circles.count; first += tile_threads) {
    const int i = first + pixel.thread();
    bool touches = false;
    if (i < circles.count) {
      const float4 shape = circles.shapes[i];
      touches = may_touch(shape.x, shape.y, shape.z * shape.z, pixel.tile());
    }
    int found;
    const int place = block_rank<tile_threads>(touches, scratch[turn], found, pixel.thread());
    turn = 1 - turn;
    if (touches) buffer[waiting + place] = Shading::prepare(Shading::fetch(circles, i));
    waiting += found;

    const bool last_round = first + tile_threads >= circles.count;
    if (!last_round && waiting + tile_threads <= filled_capacity) continue;
    __syncthreads();  // the buffer is complete
    pixel.blend(buffer, waiting);
    __syncthreads();  // everybody is done with it
    waiting = 0;
  }
  pixel.store(canvas);
}

class FilledRenderer : public CudaRenderer {
 public:
  using CudaRenderer::CudaRenderer;

  void render() override {
    with_shading_in_order(scene(), [&](auto shading) {
      using Shading = decltype(shading);
      filled_kernel<Shading><<<tile_grid(size()), tile_block()>>>(device_circles(), canvas());
    });
    HANDLE_ERROR(cudaGetLastError());
  }
};

inline constexpr CircleMethod filled_method = {.name = "filled",
                                               .help = "as tiles, drawing only when the buffer is full",
                                               .make = make_renderer<FilledRenderer>};
