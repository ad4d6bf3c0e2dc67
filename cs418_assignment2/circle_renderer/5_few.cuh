#pragma once
// few - warp-level culling without a list, a lane per circle: for no more circles than lanes.
//
// Each warp reads the circles as they are, culls them for its own tile, and blends.
//
// Gain over front on an H200: rgb 0.0142 -> 0.0128 ms
// No block-wide list, no barrier, no second round of tests. Most of the time left is the launch.
//
// Needed: circle.h (circles, the image, and the formulas of all rungs), warp_tile.cuh (a warp's
// tile: cull, blend).

#include "../../common/book.h"
#include "../../common/grid.h"
#include "circle.h"
#include "warp_tile.cuh"

namespace circle_renderer {

constexpr int few_threads = 256;
constexpr int few_warps = few_threads / 32;
constexpr int few_max_circles = 32;  // the lanes of a warp
using FewTile = WarpTile<FrontToBack>;

/// One warp per tile. The last block may have warps without a tile.
static __global__ void __launch_bounds__(few_threads)
    few_kernel(Circles circles, Canvas image, Background background, int tiles_in_a_row,
               int tiles) {
  __shared__ FlatCircle tile_lists[few_warps][32];  // of each warp's tile
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int tile_number = blockIdx.x * few_warps + warp;
  if (tile_number >= tiles) return;
  const bool valid = lane < circles.count;
  const Candidate circle =
      valid ? fetch<FrontToBack>(circles, circles.count - 1 - lane) : Candidate{};
  const int tile_x = tile_number % tiles_in_a_row;
  const int tile_y = tile_number / tiles_in_a_row;
  FewTile tile(tile_x, tile_y, image, background);
  const int found = tile.cull(circle, valid, tile_lists[warp]);
  __syncwarp();
  tile.blend(tile_lists[warp], found);
  tile.store(image, background);
}

/// Draws the background and the circles.
static inline void draw_few(const Background& background, const Circles& circles,
                            const Canvas& image, cudaStream_t stream) {
  const int in_a_row = div_up(image.size, FewTile::width);
  const int tiles = in_a_row * div_up(image.size, FewTile::height);
  const int blocks = div_up(tiles, few_warps);
  few_kernel<<<blocks, few_threads, 0, stream>>>(circles, image, background, in_a_row, tiles);
  HANDLE_ERROR(cudaGetLastError());
}

}  // namespace circle_renderer
