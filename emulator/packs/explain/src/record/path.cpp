// Where a thread is in its kernel, from the basic blocks that it comes to.
#include <algorithm>

#include "record/path.h"

namespace emulated::explain {

namespace {

// Where loops end, as far as threads have shown: the first turn of the first
// thread may go back from the middle. For all OS threads: which of them has run a block before
// changes nothing.
std::uintptr_t& known_end(std::uintptr_t begin) {
  static std::uintptr_t ends[1024][2];
  auto& [of, end] = ends[begin % 1024];
  if (of != begin) {
    of = begin;
    end = 0;
  }
  return end;
}

std::uint64_t mixed(std::uint64_t key, std::uint64_t with) {
  key = (key ^ with) * 0x9e3779b97f4a7c15ull;
  return key ^ key >> 29;
}

}  // namespace

void Path::reset() {
  key_ = 0;
  turn_ = 0;
  last_ = 0;
  depth_ = too_deep_ = 0;
}

void Path::step(std::uintptr_t at) {
  if (at > last_) {
    while (in_loop() && at > levels_[depth_ - 1].end) pop();
  } else {
    while (in_loop() && levels_[depth_ - 1].begin > at) pop();
    std::uintptr_t& end = known_end(at);
    end = std::max(end, last_);
    if (!in_loop() || levels_[depth_ - 1].begin != at) {
      if (depth_ == max_depth) {
        last_ = at;
        return;
      }
      levels_[depth_++] = {at, end, 0, key_, 0, turn_};
    }
    Level& loop = levels_[depth_ - 1];
    loop.end = std::max(loop.end, end);
    key_ = mixed(mixed(loop.key, at), ++loop.turns);
    turn_ = static_cast<std::uint8_t>(loop.turn + at + loop.turns * (2 * depth_ + 1));
  }
  last_ = at;
}

void Path::enter(std::uintptr_t from) {
  if (depth_ == max_depth) {
    ++too_deep_;
    return;
  }
  levels_[depth_++] = {0, from, last_, key_, 0, turn_};
  key_ = mixed(key_, from);
  turn_ = static_cast<std::uint8_t>(turn_ + from);
  last_ = 0;
}

void Path::leave() {
  if (too_deep_ > 0) {
    --too_deep_;
    return;
  }
  while (in_loop()) pop();
  if (depth_ == 0) return;
  last_ = levels_[depth_ - 1].last;
  pop();
}

// Compares a lane inside of the level with one that is at `place` outside of it.
int Path::compare(const Level& level, std::uintptr_t place) {
  if (level.begin == 0) return place < level.end ? 1 : -1;
  // Who has not gone back yet is in the loop's first turn.
  return place <= std::max(level.end, known_end(level.begin)) ? 1 : -1;
}

int Path::compare(const void* place, const Path& other, const void* other_place) const {
  const auto order = [](std::uintptr_t a, std::uintptr_t b) { return a < b ? -1 : a > b ? 1 : 0; };
  const auto own = reinterpret_cast<std::uintptr_t>(place),
             theirs = reinterpret_cast<std::uintptr_t>(other_place);
  for (unsigned i = 0;; ++i) {
    if (i == depth_ && i == other.depth_) return order(own, theirs);
    if (i == other.depth_) return compare(levels_[i], theirs);
    if (i == depth_) return -compare(other.levels_[i], own);
    const Level &a = levels_[i], &b = other.levels_[i];
    if (a.begin == 0 && b.begin == 0) {
      if (a.end != b.end) return order(a.end, b.end);
    } else if (a.begin == 0) {
      return -compare(b, a.end);
    } else if (b.begin == 0) {
      return compare(a, b.end);
    } else if (a.begin != b.begin) {
      return a.begin < b.begin ? compare(a, b.begin) : -compare(b, a.begin);
    } else if (a.turns != b.turns) {
      return order(a.turns, b.turns);
    }
  }
}

bool Path::is_turns_behind(const void* place, const Path& other) const {
  const auto own = reinterpret_cast<std::uintptr_t>(place);
  // Who has not gone back yet is in the loop's first turn.
  const auto is_in = [](std::uintptr_t at, const Level& loop) {
    return loop.begin != 0 && at >= loop.begin && at <= std::max(loop.end, known_end(loop.begin));
  };
  for (unsigned i = 0; i < other.depth_; ++i) {
    const Level& theirs = other.levels_[i];
    if (i == depth_) return is_in(own, theirs);
    const Level& ours = levels_[i];
    if ((ours.begin == 0) != (theirs.begin == 0)) return false;  // one has left the kernel, perhaps
    if (ours.begin == 0) {
      if (ours.end != theirs.end) return ours.end < theirs.end;
    } else if (ours.begin != theirs.begin) {
      return is_in(ours.begin, theirs);
    } else if (ours.turns != theirs.turns) {
      return ours.turns < theirs.turns;
    }
  }
  return false;
}

}  // namespace emulated::explain
