#pragma once
// tiles - tiled rasterization: an ordered list of the circles that touch a tile of pixels.
//
// A block draws a tile. In each round its threads test one circle each, and the circles that touch
// the tile go into a list in shared memory, in order. Then every thread is a pixel and goes through
// the list, which is short.
//
// The list must keep the order, so a thread's place in it is the number of earlier threads whose
// circles also go there, an exclusive prefix sum over the block (ordered compaction). Within a warp
// a ballot and a population count give it; the warps' sums go through shared memory.
//
// Gain over pixels on an H200: rgb 0.0204 -> 0.0204, rand1M 954 -> 9.60, micro2M 1912 -> 19.9 ms
// A test serves all pixels of a tile. rgb has only 3 circles, so it saves hardly any tests there.
// Still, every tile tests every circle.
//
// Needed: circle.h (circles, the image, and the formulas of all rungs).

#include "../../common/book.h"
#include "circle.h"

namespace circle_renderer {

constexpr int tile_side = 16;
constexpr int tile_threads = tile_side * tile_side;
constexpr int tile_warps = tile_threads / 32;

/// Returns the number of threads of the block before this one that have `keep`; `count` becomes the
/// number of all that have it. Contains a barrier.
static __device__ inline int rank_in_block(bool keep, int thread, int* warp_counts, int& count) {
  const int warp = thread / 32;
  const int lane = thread % 32;
  const unsigned kept = __ballot_sync(0xffffffff, keep);
  if (lane == 0) warp_counts[warp] = __popc(kept);
  count = __syncthreads_count(keep);
  int rank = __popc(kept & ((1u << lane) - 1));
  for (int w = 0; w < tile_warps; ++w) rank += w < warp ? warp_counts[w] : 0;
  return rank;
}

/// One thread per pixel, one block per tile. The circles are all flat, or all snowflakes.
template <class Shape>
__global__ void __launch_bounds__(tile_threads, 8) tiles_kernel(Circles circles, Canvas image) {
  __shared__ Shape list[tile_threads];
  __shared__ int warp_counts[tile_warps];
  const int thread = threadIdx.y * tile_side + threadIdx.x;
  const int left = blockIdx.x * tile_side;
  const int bottom = blockIdx.y * tile_side;
  const int last = image.size - 1;
  const Box tile = {image.center(left), image.center(min(left + tile_side - 1, last)),
                    image.center(bottom), image.center(min(bottom + tile_side - 1, last))};
  const int column = left + threadIdx.x;
  const int row = bottom + threadIdx.y;
  // Threads beyond the edge of the image help to test circles, and draw nothing.
  const bool inside = column < image.size && row < image.size;
  const float x = image.center(column);
  const float y = image.center(row);
  float4 color{};
  if (inside) color = image.at(column, row);

  for (int first = 0; first < circles.count; first += tile_threads) {
    const int i = first + thread;
    const bool touches = i < circles.count && may_touch(circles.shapes[i], tile);
    int found;
    const int place = rank_in_block(touches, thread, warp_counts, found);
    if (touches) list[place] = Shape::of(circles, i);
    __syncthreads();  // the list is complete
    for (int k = 0; k < found; ++k)
      if (covers(list[k], x, y)) color = shade(list[k], x, y, color);
    __syncthreads();  // all threads are done with it
  }
  if (inside) image.at(column, row) = color;
}

/// Draws the circles over the image's content.
static inline void draw_tiles(const Circles& circles, const Canvas& image, cudaStream_t stream) {
  const int side = (image.size + tile_side - 1) / tile_side;
  const dim3 blocks(side, side);
  const dim3 threads(tile_side, tile_side);
  if (circles.snow)
    tiles_kernel<Snowflake><<<blocks, threads, 0, stream>>>(circles, image);
  else
    tiles_kernel<FlatCircle><<<blocks, threads, 0, stream>>>(circles, image);
  HANDLE_ERROR(cudaGetLastError());
}

}  // namespace circle_renderer
