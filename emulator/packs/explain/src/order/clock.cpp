#include "order/clock.h"

namespace emulated::explain {

bool Clock::covers(const Epoch& earlier) const {
  if (earlier.at < grid_) return true;
  for (auto it = of_block(earlier.block); it != known_.end() && it->block == earlier.block; ++it)
    if (it->covers(earlier)) return true;
  return false;
}

const Known* Clock::told_without(const Epoch& earlier) const {
  for (auto it = of_block(earlier.block); it != known_.end() && it->block == earlier.block; ++it)
    if (it->thread != earlier.thread) return &*it;
  return nullptr;
}

void Clock::join(const Known& other) {
  if (other.at == 0) return;
  // What another entry of its block knows as well, too, has no entry of its own.
  const auto knows_all_of = [](const Known& one, const Known& two) {
    return two.at <= one.barrier || (one.thread == two.thread && two.at <= one.at);
  };
  auto it = known_.begin() + (of_block(other.block) - known_.cbegin());
  while (it != known_.end() && it->block == other.block) {
    if (knows_all_of(*it, other)) return;
    if (knows_all_of(other, *it))
      it = known_.erase(it);
    else
      ++it;
  }
  known_.insert(it, other);
}

void Clock::join(const Clock& other) {
  grid_ = std::max(grid_, other.grid_);
  for (const Known& one : other.known_) join(one);
}

ClockPointer joined(const ClockPointer& one, const ClockPointer& other) {
  if (one == nullptr || one == other) return other;
  if (other == nullptr) return one;
  const auto both = std::make_shared<Clock>(*one);
  both->join(*other);
  return both;
}

ClockPointer joined(const ClockPointer& one, const Known& other) {
  if (other.at == 0) return one;
  const auto both = one == nullptr ? std::make_shared<Clock>() : std::make_shared<Clock>(*one);
  both->join(other);
  return both;
}

}  // namespace emulated::explain
