#include "thread_order.h"

#include "launch/settings.h"

namespace emulated {

void ThreadOrders::prepare(dim3 block) {
  if (block.x == block_.x && block.y == block_.y && block.z == block_.z) return;
  block_ = block;
  const Settings& s = settings();
  const unsigned threads = block.x * block.y * block.z;
  const unsigned permutations = s.order == Order::shuffled ? 8 : 1;
  indices_.clear();
  for (unsigned p = 0; p < permutations; ++p)
    for (unsigned i = 0; i < 2 * threads; ++i) {
      const auto thread =
          static_cast<unsigned>(permute(s.order, i % threads, threads, s.seed + p + 1));
      indices_.push_back(
          pack_index(thread % block.x, thread / block.x % block.y, thread / block.x / block.y));
    }
}

const PackedIndex* ThreadOrders::of(std::uint64_t block) const {
  if (settings().order != Order::shuffled) return indices_.data();
  // Any two blocks differ, mostly: the upper bits of a multiple of the golden ratio
  // (Knuth, The Art of Computer Programming, volume 3, section 6.4) choose one of 8
  // permutations and where in it to begin.
  const std::uint64_t hash = (settings().seed + block + 1) * 0x9e3779b97f4a7c15ull;
  const std::uint64_t threads = indices_.size() / 16;
  return indices_.data() + 2 * threads * (hash >> 61) +
         ((hash >> 29 & 0xffffffffu) * threads >> 32);
}

}  // namespace emulated
