// Vector clocks of a launch: which accesses happened before what a thread does now.
//
// The idea is that of ThreadSanitizer and FastTrack (C. Flanagan, S. Freund: FastTrack: Efficient
// and Precise Dynamic Race Detection, PLDI 2009): an access has an epoch, the moment and the thread
// that did it; a clock holds for each thread the moment up to which its accesses happened before.
// A grid has too many threads for that, but a barrier orders all of a block alike, so a clock has
// entries per block (as in A. Eizenberg et al.: BARRACUDA, PLDI 2017).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace emulated::explain {

/// A moment of the program: a number that grows with each event that orders accesses.
using Moment = std::uint32_t;

/// An access: by whom and when.
struct Epoch {
  Moment at = 0;  // 0: none
  std::uint32_t block = 0;
  std::uint16_t thread = 0;
};

/// What one thread knew of its block at a moment: of itself all that happened before `at`, of its
/// warp all before `warp`, of the whole block all before `barrier`.
struct Known {
  Moment at = 0;  // 0: nothing
  Moment warp = 0;
  Moment barrier = 0;
  std::uint32_t block = 0;
  std::uint16_t thread = 0;

  bool covers(const Epoch& earlier) const {
    if (earlier.block != block) return false;
    if (earlier.at < barrier) return true;
    if (earlier.thread == thread) return earlier.at < at;
    return earlier.thread / 32 == thread / 32 && earlier.at < warp;
  }
};

class Clock {
 public:
  Clock() = default;
  explicit Clock(const Known& known) : known_{known} {}
  /// Everything before this moment, by any thread of the grid.
  explicit Clock(Moment grid) : grid_(grid) {}

  bool covers(const Epoch& earlier) const;
  /// Another thread of the same block of which the clock knows. nullptr: there is none.
  const Known* told_without(const Epoch& earlier) const;
  void join(const Known& other);
  void join(const Clock& other);

 private:
  std::vector<Known>::const_iterator of_block(std::uint32_t block) const {
    return std::lower_bound(known_.begin(), known_.end(), block,
                            [](const Known& one, std::uint32_t key) { return one.block < key; });
  }

  Moment grid_ = 0;
  std::vector<Known> known_;  // by block
};

/// Clocks are shared, and never changed once they are; nullptr: knows nothing.
using ClockPointer = std::shared_ptr<const Clock>;
ClockPointer joined(const ClockPointer& one, const ClockPointer& other);
ClockPointer joined(const ClockPointer& one, const Known& other);
inline bool covers(const ClockPointer& clock, const Epoch& earlier) {
  return clock != nullptr && clock->covers(earlier);
}

}  // namespace emulated::explain
