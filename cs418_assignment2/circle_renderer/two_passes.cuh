#pragma once
// How a scene is drawn in two passes (7_bins.cuh). Front to back, most of a long scene is never needed: so the first
// pass draws only the newest circles, and the second one the rest, where tiles are left unfinished.
//
//   pass 1   bin the newest      each tile: opaque?   yes: store it, done
//                                                     no:  save it as it is, and count it
//   pass 2   if any was counted: bin the rest         each tile that was not done: resume it, go on, store it
//
// Whether there is anything left to do, the second pass finds out on the device; the host never waits.

#include <cuda_runtime.h>

/// One pass over a part of the scene. The n-th circle of the pass is the (first + n)-th in the order of
/// drawing.
struct BinPass {
  int first, count;
  bool is_first, is_last;
};

/// What the first pass hands to the second, besides the tiles' half-done pixels in the canvas.
struct UnfinishedTiles {
  int* count;             ///< how many there are
  unsigned char* is_one;  ///< one per tile; not there when there is only one pass

  /// In the first kernel of a pass, by all threads: is there anything to do in it?
  __device__ bool begin(const BinPass& pass) const {
    if (pass.is_first && blockIdx.x == 0 && threadIdx.x == 0) *count = 0;
    return pass.is_first || *count > 0;
  }
  /// In the second kernel, by each warp for its tile: is it to be drawn in this pass?
  __device__ bool wanted(const BinPass& pass, int tile) const { return pass.is_first || is_one[tile]; }
  /// When the warp is done with its tile.
  __device__ void note(const BinPass& pass, int tile, bool finished) const {
    if (pass.is_last || threadIdx.x % 32 != 0) return;
    is_one[tile] = !finished;
    if (!finished) atomicAdd(count, 1);
  }
};
