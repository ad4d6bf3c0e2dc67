// How much is done that only helps to find mistakes. It is counted in work, not in time, so that
// what is found depends on the program alone.
#pragma once

#include <cstdint>

namespace emulated {

/// Units of work. Their size is the owner's choice.
class Budget {
 public:
  /// So much at the beginning, and so much more with each question.
  constexpr Budget(std::uint64_t beginning, std::uint64_t income)
      : left_(beginning), income_(income) {}

  /// Is there enough for this much work? Then it is spent.
  bool allows(std::uint64_t work) {
    left_ += income_;
    if (left_ < work) return false;
    left_ -= work;
    return true;
  }

 private:
  std::uint64_t left_, income_;
};

}  // namespace emulated
