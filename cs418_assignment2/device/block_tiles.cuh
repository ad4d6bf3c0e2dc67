#pragma once
// Which tiles a block has in a launch of a few blocks that stay: block b takes tiles b, b + blocks, b + 2 blocks, ...,
// one per round (scan/5_pipeline.cuh, find_repeats/3_fused.cuh).

#include <cuda_runtime.h>

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
