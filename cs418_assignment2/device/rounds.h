#pragma once
// Host's arithmetic for launches of a few blocks that stay: block b takes tiles b, b + blocks, b + 2 blocks,
// ..., one per round (scan/5_pipeline.cuh, find_repeats/3_fused.cuh). The size of a tile is chosen so that
// the last round is a full one.

#include <cstddef>
#include <limits>
#include <span>

#include "../../common/grid.h"

/// What a kernel of this kind loses. The unit is the time that a multiprocessor takes for one number of the
/// array. Each kernel has its own costs, fitted to measured times (see there); they are good only for telling
/// which of two shapes is faster.
struct RoundCosts {
  double ends;       // tiles' worth of time until the first results leave and after the last data has come
  double per_round;  // numbers' worth of time for what a round costs besides: barrier, prefix
};

/// How long `blocks` blocks take for n numbers in tiles of `tile` numbers, in the unit of RoundCosts. The
/// last round takes as long as a full one, however few tiles it has. That is why the size of the tile
/// matters: 10 million numbers in tiles of 8192 for 132 blocks are 9.25 rounds and take the time of 10.
inline double time_of_rounds(std::size_t n, std::size_t tile, std::size_t blocks, RoundCosts costs) {
  const auto rounds = static_cast<double>(div_up(div_up(n, tile), blocks));
  return (rounds + costs.ends) * static_cast<double>(tile) + rounds * costs.per_round;
}

/// A block's tile: each of `warps` warps has `pieces` pieces (rows of a scan, chunks of find_repeats).
struct TileShape {
  int pieces, warps;
};
/// The tiles to choose from: `pieces` pieces per warp, from `least` to `most` warps.
struct TileShapes {
  int pieces, least, most;
};

/// The shape that takes least time for n numbers in pieces of `piece` numbers, warps counted down in steps of
/// `step`; of equals the first.
inline TileShape even_rounds(std::size_t n, std::size_t piece, std::size_t blocks, RoundCosts costs,
                             std::span<const TileShapes> candidates, int step = 1) {
  TileShape best{};
  double best_time = std::numeric_limits<double>::max();
  for (const auto& [pieces, least, most] : candidates) {
    for (int warps = most; warps >= least; warps -= step) {
      const double time = time_of_rounds(n, std::size_t(pieces) * warps * piece, blocks, costs);
      if (time >= best_time) continue;
      best_time = time;
      best = {pieces, warps};
    }
  }
  return best;
}
