#pragma once
// Which vectors of 16 bytes a block counts (4_replicated.cuh).

#include <cuda_runtime.h>

/// How the vectors are dealt to the blocks, in rounds of threads * vectors_in_flight vectors.
enum class Deal {
  ranges,  ///< each block gets one range
  turns    ///< round r goes to block r % blocks: the blocks stay close together in memory
};

/// What one block counts: `rounds` whole rounds, the first from vector `first` on, the next `step` vectors
/// further, and a last one, not whole, from `rest` up to `rest_end`.
struct Share {
  unsigned first, step, rounds, rest, rest_end;
};

inline __device__ Share share_of_block(Deal deal, unsigned vectors, unsigned round) {
  if (deal == Deal::ranges) {
    const auto bound = [&](unsigned block) {
      return static_cast<unsigned>(static_cast<unsigned long long>(vectors) * block / gridDim.x);
    };
    const unsigned from = bound(blockIdx.x), to = bound(blockIdx.x + 1), rounds = (to - from) / round;
    return {from, round, rounds, from + rounds * round, to};
  }
  const unsigned whole = vectors / round, mine = whole / gridDim.x + (blockIdx.x < whole % gridDim.x ? 1 : 0);
  const bool has_rest = blockIdx.x == whole % gridDim.x;  // the block whose turn it would be
  return {blockIdx.x * round, gridDim.x * round, mine, whole * round, has_rest ? vectors : whole * round};
}
