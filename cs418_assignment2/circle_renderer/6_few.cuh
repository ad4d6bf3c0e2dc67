#pragma once
// Rung 6, "few": for at most 32 circles, as many as a warp has lanes. There is nothing to list: every warp
// takes the circles as they are, one per lane, culls them for its own tile (warp_tile.cuh), and blends.
//
// What it gains over front: no block-wide list, no barrier, no second round of looking. rgb: 0.0104 ms
// (recorded as a CUDA graph, fast.cuh) instead of 0.0141 on an H200, where an empty kernel takes 0.007
// (README.md, "Results").

#include <string>

#include "cuda_renderer.cuh"
#include "method.cuh"
#include "shading.cuh"
#include "warp_tile.cuh"
#include "whole_picture.cuh"

constexpr int few_threads = 256, few_warps = few_threads / 32;

/// One warp per tile, blocks of eight warps. The last block may have warps without a tile.
template <class Shading>
__global__ void __launch_bounds__(few_threads)
    few_kernel(Circles circles, Canvas canvas, Background background, int tiles_in_a_row, int tiles) {
  using Tile = WarpTile<Shading>;
  __shared__ Prepared prepared[few_warps][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int tile_number = blockIdx.x * few_warps + warp;
  if (tile_number >= tiles) return;
  const bool valid = lane < circles.count;
  const Candidate circle =
      valid ? Shading::fetch(circles, nth_circle<Shading>(lane, circles.count)) : Candidate{};
  Tile tile(tile_number % tiles_in_a_row, tile_number / tiles_in_a_row, canvas, background);
  const int found = tile.cull(circle, valid, prepared[warp]);
  __syncwarp();
  tile.blend(prepared[warp], found);
  tile.store(canvas, background);
}

class FewRenderer : public WholePictureRenderer {
 public:
  static constexpr int most_circles = 32;
  using WholePictureRenderer::WholePictureRenderer;

 protected:
  void enqueue(cudaStream_t stream) override {
    with_fastest_shading(scene(), front_to_back(), [&](auto shading) {
      using Shading = decltype(shading);
      using Tile = WarpTile<Shading>;
      const int in_a_row = tiles_across<Tile>(size()), tiles = in_a_row * tiles_up<Tile>(size());
      few_kernel<Shading><<<div_up(tiles, few_warps), few_threads, 0, stream>>>(
          device_circles(), canvas(), scene().background, in_a_row, tiles);
    });
    HANDLE_ERROR(cudaGetLastError());
  }
};

inline constexpr CircleMethod few_method = {
    .name = "few",
    .help = "at most 32 circles: no list, a lane per circle",
    .make = make_renderer<FewRenderer>,
    .cannot_draw = [](const Scene& scene, int) {
      return std::string(scene.count() <= FewRenderer::most_circles ? "" : "it takes at most 32 circles");
    }};
