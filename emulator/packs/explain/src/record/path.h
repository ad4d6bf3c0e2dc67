// Where a thread is in its kernel.
#pragma once

#include <cstdint>

namespace emulated::explain {

/// Where a thread is in its kernel: the calls that it is in, and the turns of the loops. Lanes of a
/// warp that come to one place with the same key are there together.
///
/// Basic blocks lie in memory in the order of the source (-fno-reorder-blocks): who goes back
/// begins a turn of a loop, which ends where he went back from.
class Path {
 public:
  /// The thread comes to a basic block; calls a function; comes back.
  void step(std::uintptr_t at);
  void enter(std::uintptr_t from);
  void leave();
  void reset();
  std::uint64_t key() const { return key_; }
  /// A small number that differs between neighboring turns of a loop, and mostly between loops.
  /// Nothing of it depends on where in memory the program lies.
  std::uint8_t turn() const { return turn_; }
  /// Which of two lanes is behind: less than 0 if the one on this path, at `place`; 0: they are at
  /// the same place.
  int compare(const void* place, const Path& other, const void* other_place) const;
  /// Is the lane on this path, at `place`, in an earlier turn of a loop, or an earlier call, than
  /// the other one? False where that is not known.
  bool is_turns_behind(const void* place, const Path& other) const;

 private:
  struct Level {
    std::uintptr_t begin = 0;  // of a loop; 0: a call, which returns to `end`
    std::uintptr_t end = 0;
    std::uintptr_t last = 0;  // before the call
    std::uint64_t key = 0;    // around it
    std::uint32_t turns = 0;
    std::uint8_t turn = 0;  // around it
  };
  static constexpr unsigned max_depth = 16;

  static int compare(const Level& level, std::uintptr_t place);
  bool in_loop() const { return depth_ > 0 && levels_[depth_ - 1].begin != 0; }
  void pop() {
    --depth_;
    key_ = levels_[depth_].key;
    turn_ = levels_[depth_].turn;
  }

  std::uint64_t key_ = 0;
  std::uint8_t turn_ = 0;
  std::uintptr_t last_ = 0;
  unsigned depth_ = 0;
  unsigned too_deep_ = 0;  // calls beyond max_depth
  Level levels_[max_depth];
};

}  // namespace emulated::explain
