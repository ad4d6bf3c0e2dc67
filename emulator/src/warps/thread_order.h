// The orders in which the threads of a block run.
#pragma once

#include <cstdint>
#include <vector>

#include "device/limits.h"
#include "emulated/scheduler.h"

namespace emulated {

/// Permutations of the threads of a block, made once for a shape of blocks. Making one for each block costs more than
/// most kernels, so each block takes one of a few and begins somewhere in it.
class ThreadOrders {
 public:
  /// Makes the permutations, unless they are there.
  void prepare(dim3 block);
  /// The order of a block: thread numbers, and the same with indices.
  const std::uint16_t* numbers(std::uint64_t block) const { return numbers_.data() + begin(block); }
  const PackedIndex* indices(std::uint64_t block) const { return indices_.data() + begin(block); }

 private:
  static constexpr unsigned permutations = 8;
  std::size_t begin(std::uint64_t block) const;

  dim3 block_{0, 0, 0};
  unsigned threads_ = 0;
  // Each permutation twice in a row, so that it can begin anywhere.
  std::vector<std::uint16_t> numbers_;
  std::vector<PackedIndex> indices_;
};

}  // namespace emulated
