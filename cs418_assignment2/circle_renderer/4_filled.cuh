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

constexpr int filled_side = 16, filled_threads = filled_side * filled_side;
// Circles in the buffer: two rounds. 16 KiB, so the eight blocks of 256 threads that a multiprocessor takes
// still fit beside one another.
constexpr int filled_capacity = 2 * filled_threads;

/// One thread per pixel, one block per tile.
template <class Shading>
__global__ void filled_kernel(Circles circles, Canvas canvas) {
  __shared__ Prepared buffer[filled_capacity];
  // Two, which take turns: so no barrier is needed between two prefix sums (block_scan.cuh).
  __shared__ BlockScanScratch<filled_threads, int> scratch[2];
  const int column = threadIdx.x + blockIdx.x * filled_side, row = threadIdx.y + blockIdx.y * filled_side;
  const int thread = threadIdx.y * filled_side + threadIdx.x;
  // Threads beyond the edge help to look at circles; they draw nothing.
  const bool inside = column < canvas.grid.size && row < canvas.grid.size;
  const float x = canvas.grid.center(column), y = canvas.grid.center(row);
  const int last = canvas.grid.size - 1;
  const int left = blockIdx.x * filled_side, bottom = blockIdx.y * filled_side;
  const Box tile = {canvas.grid.center(left), canvas.grid.center(min(left + filled_side - 1, last)),
                    canvas.grid.center(bottom), canvas.grid.center(min(bottom + filled_side - 1, last))};
  Blend pixel{};
  if (inside) {
    const float4 below = canvas.at(column, row);
    pixel = {below.x, below.y, below.z, 1};
  }

  int waiting = 0, turn = 0;  // circles in the buffer; the same in all threads
  for (int first = 0; first < circles.count; first += filled_threads) {
    const int i = first + thread;
    bool touches = false;
    if (i < circles.count) {
      const float4 shape = circles.shapes[i];
      touches = may_touch(shape.x, shape.y, shape.z * shape.z, tile);
    }
    int found;
    const int place = block_rank<filled_threads>(touches, scratch[turn], found, thread);
    turn = 1 - turn;
    if (touches) buffer[waiting + place] = Shading::prepare(Shading::fetch(circles, i));
    waiting += found;

    const bool last_round = first + filled_threads >= circles.count;
    if (!last_round && waiting + filled_threads <= filled_capacity) continue;
    __syncthreads();  // the buffer is complete
    for (int k = 0; k < waiting; ++k) {
      const float distance_squared = squared_distance(x - buffer[k].x, y - buffer[k].y);
      if (distance_squared <= buffer[k].radius_squared) Shading::blend(pixel, buffer[k], distance_squared);
    }
    __syncthreads();  // everybody is done with it
    waiting = 0;
  }
  if (inside) canvas.at(column, row) = make_float4(pixel.red, pixel.green, pixel.blue, 1);
}

class FilledRenderer : public CudaRenderer {
 public:
  using CudaRenderer::CudaRenderer;

  void render() override {
    const dim3 block(filled_side, filled_side);
    const dim3 grid(div_up(size(), filled_side), div_up(size(), filled_side));
    with_shading_in_order(scene(), [&](auto shading) {
      using Shading = decltype(shading);
      filled_kernel<Shading><<<grid, block>>>(device_circles(), canvas());
    });
    HANDLE_ERROR(cudaGetLastError());
  }
};

inline constexpr Method filled_method = {.name = "filled",
                                         .help = "as tiles, drawing only when the buffer is full",
                                         .make = make_renderer<FilledRenderer>};
