#pragma once
// cached - shared-memory tiling: the threads of a block load circles together, each for all.
//
// All pixels of a block go through the same circles, so the handout's question "what data is
// reused?" suggests it. In each round every thread of a block loads one circle and computes the
// values that do not depend on the pixel. Then every pixel goes through all of these circles.
//
// Gain over pixels on an H200: rgb 0.0204 -> 0.0203, rand1M 954 -> 491, micro2M 1912 -> 982 ms
// A thread prepares one circle of a round instead of all of them; rgb has only 3 circles. That the
// circles come from shared memory gains little: the 32 threads of a warp read the same address, one
// load from the L1 cache.
// Each pixel still tests every circle, and that takes most time. 3_tiles.cuh tests fewer.
//
// Needed: circle.h (circles, the image, and the formulas of all rungs).

#include "../../common/book.h"
#include "circle.h"

namespace circle_renderer {

constexpr int cached_side = 16;
constexpr int cached_threads = cached_side * cached_side;

/// One thread per pixel, blocks of cached_side x cached_side. The circles are all flat, or all
/// snowflakes.
template <class Shape>
__global__ void cached_kernel(Circles circles, Canvas image) {
  __shared__ Shape cache[cached_threads];
  const int thread = threadIdx.y * cached_side + threadIdx.x;
  const int column = threadIdx.x + blockIdx.x * cached_side;
  const int row = threadIdx.y + blockIdx.y * cached_side;
  // Threads beyond the edge of the image help to load, and draw nothing.
  const bool inside = column < image.size && row < image.size;
  const float x = image.center(column);
  const float y = image.center(row);
  float4 color{};
  if (inside) color = image.at(column, row);

  for (int first = 0; first < circles.count; first += cached_threads) {
    const int i = first + thread;
    if (i < circles.count) cache[thread] = Shape::of(circles, i);
    __syncthreads();  // the cache is complete
    const int cached = min(cached_threads, circles.count - first);
#pragma unroll 8  // faster than the compiler's own 4, especially on snow
    for (int k = 0; k < cached; ++k)
      if (covers(cache[k], x, y)) color = shade(cache[k], x, y, color);
    __syncthreads();  // all threads are done with it
  }
  if (inside) image.at(column, row) = color;
}

/// Draws the circles over the image's content.
static inline void draw_cached(const Circles& circles, const Canvas& image, cudaStream_t stream) {
  const int side = (image.size + cached_side - 1) / cached_side;
  const dim3 blocks(side, side);
  const dim3 threads(cached_side, cached_side);
  if (circles.snow)
    cached_kernel<Snowflake><<<blocks, threads, 0, stream>>>(circles, image);
  else
    cached_kernel<FlatCircle><<<blocks, threads, 0, stream>>>(circles, image);
  HANDLE_ERROR(cudaGetLastError());
}

}  // namespace circle_renderer
