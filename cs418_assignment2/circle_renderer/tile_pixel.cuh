#pragma once
// What rungs 2 to 4 share: a block draws a tile, a square of 16 x 16 pixels, one thread per pixel. Here is the
// pixel of a thread; how the block comes to its list of circles is what the rungs differ in.

#include <cuda_runtime.h>

#include "cuda_renderer.cuh"
#include "shading.cuh"

constexpr int tile_side = 16, tile_threads = tile_side * tile_side;

/// The pixel of this thread, and its block's tile. Threads beyond the edge of the image help to look at circles; they
/// draw nothing.
template <class Shading>
class TilePixel {
 public:
  __device__ explicit TilePixel(const Canvas& canvas)
      : column_(threadIdx.x + blockIdx.x * tile_side),
        row_(threadIdx.y + blockIdx.y * tile_side),
        thread_(threadIdx.y * tile_side + threadIdx.x),
        inside_(column_ < canvas.grid.size && row_ < canvas.grid.size),
        x_(canvas.grid.center(column_)),
        y_(canvas.grid.center(row_)) {
    const int last = canvas.grid.size - 1;
    const int left = blockIdx.x * tile_side, bottom = blockIdx.y * tile_side;
    tile_ = {canvas.grid.center(left), canvas.grid.center(min(left + tile_side - 1, last)),
             canvas.grid.center(bottom), canvas.grid.center(min(bottom + tile_side - 1, last))};
    if (inside_) {
      const float4 below = canvas.at(column_, row_);
      color_ = {below.x, below.y, below.z, 1};
    }
  }

  /// The thread's number in its block, 0 to tile_threads - 1.
  __device__ int thread() const { return thread_; }
  /// The box of the tile, cut at the edge of the image.
  __device__ const Box& tile() const { return tile_; }

  /// Blends those of the first `count` circles of a list that cover the pixel, in order.
  __device__ void blend(const Prepared* list, int count) {
    for (int k = 0; k < count; ++k) {
      const float distance_squared = squared_distance(x_ - list[k].x, y_ - list[k].y);
      if (distance_squared <= list[k].radius_squared) Shading::blend(color_, list[k], distance_squared);
    }
  }

  __device__ void store(const Canvas& canvas) const {
    if (inside_) canvas.at(column_, row_) = make_float4(color_.red, color_.green, color_.blue, 1);
  }

 private:
  int column_, row_, thread_;
  bool inside_;
  float x_, y_;  // of its center
  Box tile_;
  Blend color_{};
};

/// The launch of a kernel with one thread per pixel and one block per tile, for an image of size x size pixels.
inline dim3 tile_block() { return dim3(tile_side, tile_side); }
inline dim3 tile_grid(int size) { return dim3(div_up(size, tile_side), div_up(size, tile_side)); }
