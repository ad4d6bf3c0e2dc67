// The orders in which the threads of a block run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulated/scheduler.h"

namespace emulated {

/// Permutations of the threads of a block, made once for a shape of blocks. Making one for each
/// block costs more than most kernels, so each block takes one of a few and begins somewhere in it.
class ThreadOrders {
 public:
  /// Makes the permutations, unless they are there.
  void prepare(dim3 block);
  /// The order of a block: the indices of its threads.
  const PackedIndex* of(std::uint64_t block) const;

 private:
  dim3 block_{0, 0, 0};
  // each permutation twice in a row, so that it can begin anywhere
  std::vector<PackedIndex> indices_;
};

}  // namespace emulated
