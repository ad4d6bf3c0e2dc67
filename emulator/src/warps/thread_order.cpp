#include "thread_order.h"

#include <span>

#include "launch/settings.h"
#include "shuffle.h"

namespace emulated {

void ThreadOrders::prepare(dim3 block) {
  if (block.x == block_.x && block.y == block_.y && block.z == block_.z) return;
  block_ = block;
  threads_ = block.x * block.y * block.z;
  const Settings& s = settings();
  numbers_.resize(std::size_t{2} * permutations * threads_);
  indices_.resize(numbers_.size());
  for (unsigned p = 0; p < permutations; ++p) {
    const std::span<std::uint16_t> order(numbers_.data() + std::size_t{2} * p * threads_, threads_);
    for (unsigned i = 0; i < threads_; ++i)
      order[i] = static_cast<std::uint16_t>(s.order == Order::reversed ? threads_ - 1 - i : i);
    if (s.order == Order::shuffled) shuffle(order, s.seed + p + 1);
    for (unsigned i = 0; i < threads_; ++i) order.data()[threads_ + i] = order[i];
  }
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const unsigned thread = numbers_[i];
    indices_[i] = pack_index(thread % block.x, thread / block.x % block.y, thread / block.x / block.y);
  }
}

std::size_t ThreadOrders::begin(std::uint64_t block) const {
  if (settings().order != Order::shuffled) return 0;
  // Any two blocks differ, mostly: the upper bits of a multiple of the golden ratio (Knuth, The Art of Computer
  // Programming, volume 3, section 6.4).
  const std::uint64_t hash = (settings().seed + block + 1) * 0x9e3779b97f4a7c15ull;
  return 2 * threads_ * (hash >> 61) + ((hash >> 29 & 0xffffffffu) * threads_ >> 32);
}

}  // namespace emulated
