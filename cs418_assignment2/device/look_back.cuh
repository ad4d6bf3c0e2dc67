#pragma once
// How a block learns the sum of everything before its tile when any number of tiles may be waiting.
//
// Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA technical report
// NVR-2016-002. For the words see tile_words.cuh.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "tile_words.cuh"
#include "warp.cuh"

/// Returns 0, 1, 2, ... in the order in which blocks ask. A tile number taken here makes sure that all tiles
/// before belong to blocks that have started, which blockIdx does not promise; otherwise waiting for them
/// could take forever. For the whole block: contains a barrier.
__device__ inline unsigned take_ticket(const TileWords& tiles) {
  __shared__ unsigned ticket;
  if (threadIdx.x == 0) ticket = atomicAdd(tiles.next_ticket, 1u) - tiles.first_ticket;
  __syncthreads();
  return ticket;
}

/// Returns the sum of all tiles before `tile`, in every lane. For one whole warp.
/// Reads 32 words at once, the nearest in lane 0. A word with a prefix ends the walk.
__device__ inline unsigned look_back(const TileWords& tiles, std::size_t tile, int lane) {
  unsigned sum = 0;
  std::size_t end = tile;  // tiles [0, end) are still to be added
  while (end > 0) {
    const bool exists = static_cast<std::size_t>(lane) < end;
    std::uint64_t word = 0;
    unsigned with_prefix, needed;
    while (true) {
      if (exists) word = tiles.read(end - 1 - lane);
      const TileWords::State state = exists ? tiles.state_of(word) : TileWords::prefix;
      with_prefix = __ballot_sync(all_lanes, state == TileWords::prefix);
      const unsigned ready = __ballot_sync(all_lanes, state != TileWords::empty);
      // Needed are the lanes up to the nearest prefix; without a prefix, all.
      needed = with_prefix != 0 ? with_prefix ^ (with_prefix - 1) : all_lanes;
      if ((ready & needed) == needed) break;
    }
    sum += warp_sum(exists && (needed >> lane & 1) != 0 ? TileWords::value_of(word) : 0);
    if (with_prefix != 0) break;
    end -= warp_lanes;
  }
  return sum;
}
