#pragma once
// Launches of a few blocks that stay (persistent blocks): block b takes tiles b, b + blocks, b + 2 blocks, ..., one per
// round (scan/5_pipeline.cuh, find_repeats/3_fused.cuh).

#include <cuda_runtime.h>

#include <cstddef>
#include <limits>
#include <span>

#include "../../common/grid.h"

/// The tiles of this block; its i-th one is number(i) of the `all` tiles of the array. Numbers have 32 bits: after a
/// division of 64-bit numbers, a function call, the compiler no longer knows that all lanes agree, and guards every
/// shuffle of the loop over the tiles.
struct BlockTiles {
  unsigned block, blocks;  ///< this block's number, and how many blocks there are
  unsigned all;            ///< tiles of the array
  unsigned count;          ///< of them this block's

  __device__ explicit BlockTiles(unsigned tile_count)
      : block(blockIdx.x),
        blocks(gridDim.x),
        all(tile_count),
        count(block < tile_count ? (tile_count - 1 - block) / blocks + 1 : 0) {}

  __device__ unsigned number(unsigned i) const { return block + i * blocks; }
  /// This block's tile before its tile `number`, or 0 for its first one: from there on to `number` lie the tiles whose
  /// totals were not part of the prefix that this block has asked for last, one of each block.
  __device__ unsigned before(unsigned number) const { return number < blocks ? 0 : number - blocks; }
};

/// Adds up one number per warp without a barrier: the warp that comes last learns the sum and can send it on
/// at once, while a barrier would make every warp wait. Lies in shared memory; clear it and put a barrier
/// before the first use. After the last arrival it is clear again, for the next use behind a barrier. Two
/// 32-bit atomics, because shared memory adds those by itself; one of 64 bits would be a loop of
/// compare-and-swap.
struct ArrivalSum {
  unsigned sum, arrivals;

  __device__ void clear() { sum = arrivals = 0; }

  /// One lane of each of `warps` warps calls this once. Returns true for the last one, with the sum in
  /// `total`.
  __device__ bool arrive(unsigned value, unsigned warps, unsigned& total) {
    atomicAdd(&sum, value);
    __threadfence_block();  // whoever sees the arrival sees the number
    if (atomicInc(&arrivals, warps - 1) != warps - 1) return false;  // the last one makes it 0 again
    __threadfence_block();
    total = atomicExch(&sum, 0u);
    return true;
  }
};

// ---- the host's part: the size of a tile is chosen so that the last round is a full one

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
