#pragma once
// How the warps of a block tell each other what they have found (3_fused.cuh): the parts that cross warps.

#include <cuda_runtime.h>

#include "../device/block_scan.cuh"
#include "../device/tile_words.cuh"
#include "../device/warp.cuh"

constexpr int fused_most_warps = 24;  // without the messenger

/// What the warps of a block tell each other, in shared memory. What belongs to the block's i-th tile lies at i % 4: it
/// is written in round i and read until the end of round i + 2, when a fast warp may be in round i + 3 already. Nobody
/// is further: the barrier of round i + 4 waits for all.
struct RoundNotes {
  unsigned warp_totals[4][fused_most_warps];  // flags that each warp has found
  unsigned prefixes[4];                       // flags before the tile
  ArrivalSum block_totals[4];                 // flags in the tile, as the warps arrive

  /// Before the first round; a barrier has to follow.
  __device__ void clear() {
    if (threadIdx.x < 4) block_totals[threadIdx.x].clear();
  }
  /// Where the indices of this warp's flags begin in the output.
  __device__ unsigned place(unsigned i, int warp, int lane) const {
    return prefixes[i % 4] + warp_sum(lane < warp ? warp_totals[i % 4][lane] : 0);
  }
  /// Notes how many flags this warp has found. The last warp to come publishes the sum, the tile's total.
  __device__ void tell(unsigned i, unsigned flags_of_lane, int warp, int warps, int lane,
                       const TileWords& words, unsigned tile) {
    const unsigned sum = warp_sum(flags_of_lane);
    if (lane != 0) return;
    unsigned total;
    warp_totals[i % 4][warp] = sum;
    if (block_totals[i % 4].arrive(sum, warps, total)) words.publish(tile, TileWords::total, total);
  }
};
