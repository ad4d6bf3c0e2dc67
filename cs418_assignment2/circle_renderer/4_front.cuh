#pragma once
// front - front-to-back compositing with early termination, a warp per tile.
//
// It begins with the newest circle, in one kernel. A pixel is done when nothing behind is visible:
// with circles of alpha 0.5 after 20 of them, even if 10,000 or 100,000 more follow.
// warp_tile.cuh explains why this is allowed.
//
// A block draws a square of the image, and each of its warps draws a tile of that.
// In a round the block tests front_round circles, newest first, and lists those that touch its
// square. Then each warp culls the list again, for its own tile, a circle per lane at a time, and
// blends. When all tiles are opaque, the block is done. This is good if circles are large (every
// round brings enough to finish) or few (one round is enough).
//
// Gain over tiles on an H200: rgb 0.0204 -> 0.0142, rand1M 9.60 -> 0.497, micro2M 19.9 -> 7.89 ms
// In rand1M most tiles are opaque long before the last circle; in micro2M none ever is.
//
// Needed: circle.h (circles, the image, and the formulas of all rungs), warp_tile.cuh (a warp's
// tile: cull, blend).

#include "../../common/book.h"
#include "../../common/grid.h"
#include "circle.h"
#include "warp_tile.cuh"

namespace circle_renderer {

constexpr int front_threads = 256;
constexpr int front_warps = front_threads / 32;
using FrontTile = WarpTile<FrontToBack>;
constexpr int front_tiles_across = 2;  // in the square of a block
constexpr int front_tiles_up = front_warps / front_tiles_across;
constexpr int front_side = front_tiles_across * FrontTile::width;  // pixels of the square
static_assert(front_tiles_up * FrontTile::height == front_side);
constexpr int front_parts = 4;  // groups of 32 circles that a warp tests in a round
constexpr int front_round = front_threads * front_parts;  // circles per round of a block

/// The sum of one number per warp over the warps before this one; `total`: over all. Contains a
/// barrier, and only one: every warp scans the numbers for itself, which is cheaper than one warp
/// that does it for all and a second barrier.
static __device__ inline int sum_before_warp(int of_this_warp, int* warp_sums, int& total) {
  const int thread = threadIdx.x;
  const int lane = thread % 32;
  const int warp = thread / 32;
  if (lane == 0) warp_sums[warp] = of_this_warp;
  __syncthreads();
  const int mine = lane < front_warps ? warp_sums[lane] : 0;
  const int inclusive = warp_inclusive_scan(mine, lane);
  total = __shfl_sync(all_lanes, inclusive, 31);
  return __shfl_sync(all_lanes, inclusive - mine, warp);
}

/// One warp per tile, one block per square of tiles.
static __global__ void __launch_bounds__(front_threads, 4)
    front_kernel(Circles circles, Canvas image, Background background) {
  __shared__ int block_list[front_round];
  __shared__ FlatCircle tile_lists[front_warps][32];  // of each warp's tile
  __shared__ int warp_counts[front_warps];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int tile_x = blockIdx.x * front_tiles_across + warp % front_tiles_across;
  const int tile_y = blockIdx.y * front_tiles_up + warp / front_tiles_across;
  FrontTile tile(tile_x, tile_y, image, background);
  const int last = image.size - 1;
  const int left = blockIdx.x * front_side;
  const int bottom = blockIdx.y * front_side;
  const Box square = {image.center(left), image.center(min(left + front_side - 1, last)),
                      image.center(bottom), image.center(min(bottom + front_side - 1, last))};

  bool done = false;
  for (int first = 0; first < circles.count; first += front_round) {
    // A warp tests neighboring circles, so the list is in order if the warps' parts are.
    CircleShape shapes[front_parts];
    int numbers[front_parts];
    int places[front_parts];
    bool touches[front_parts];
#pragma unroll
    for (int part = 0; part < front_parts; ++part) {  // all loads first: they overlap
      const int n = first + (warp * front_parts + part) * 32 + lane;
      numbers[part] = n < circles.count ? circles.count - 1 - n : -1;
      shapes[part] = numbers[part] >= 0 ? circles.shapes[numbers[part]] : CircleShape{};
    }
    int in_warp = 0;
#pragma unroll
    for (int part = 0; part < front_parts; ++part) {
      touches[part] = numbers[part] >= 0 && may_touch(shapes[part], square);
      int found;
      places[part] = in_warp + warp_rank(touches[part], found, lane);
      in_warp += found;
    }
    int listed;
    const int before = sum_before_warp(in_warp, warp_counts, listed);
#pragma unroll
    for (int part = 0; part < front_parts; ++part)
      if (touches[part]) block_list[before + places[part]] = numbers[part];
    __syncthreads();  // the list is complete

    for (int k = 0; k < listed && !done; k += 32) {
      const bool valid = k + lane < listed;
      const Candidate circle =
          valid ? fetch<FrontToBack>(circles, block_list[k + lane]) : Candidate{};
      const int found = tile.cull(circle, valid, tile_lists[warp]);
      __syncwarp();
      tile.blend(tile_lists[warp], found);
      __syncwarp();  // all lanes have read the list before the next cull()
      done = tile.opaque();
    }
    if (__syncthreads_and(done)) break;  // also: all are done with the list
  }
  tile.store(image, background);
}

/// Draws the background and the circles.
static inline void draw_front(const Background& background, const Circles& circles,
                              const Canvas& image, cudaStream_t stream) {
  const int squares = div_up(image.size, front_side);  // each way
  const dim3 blocks(squares, squares);
  front_kernel<<<blocks, front_threads, 0, stream>>>(circles, image, background);
  HANDLE_ERROR(cudaGetLastError());
}

}  // namespace circle_renderer
