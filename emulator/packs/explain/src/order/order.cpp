#include "order/order.h"

namespace emulated::explain {

namespace {
// One counter for all blocks: who holds the pack's lock counts.
Moment moment = 1;
}  // namespace

Moment present_moment() { return moment; }
Moment next_moment() { return ++moment; }

void BlockOrder::begin(std::uint32_t block, unsigned threads) {
  // Moments grow, so what threads of an earlier block have left is older than this one's begin.
  if (any_change_)
    for (unsigned i = 0; i < count_; ++i) threads_[i] = {};
  block_ = block;
  count_ = std::min(threads, max_threads);
  barrier_ = next_moment();
  warps_.fill(0);
  acquired_ = nullptr;
  released_[block_scope] = released_[device_scope] = nullptr;
  any_fence_ = any_heard_ = any_change_ = false;
  unreleased_ = {};
  heard_at_ = unreleased_at_ = {};
}

Known BlockOrder::known(unsigned thread) const {
  const Moment warp = std::max(barrier_, warps_[thread / 32]);
  return {present_moment() + 1, warp, barrier_, block_, static_cast<std::uint16_t>(thread)};
}

bool BlockOrder::is_acquired(const Epoch& earlier, unsigned thread) const {
  return covers(acquired_, earlier) || covers(threads_[thread].acquired, earlier);
}

bool BlockOrder::is_ordered(const Epoch& earlier, unsigned thread) const {
  return known(thread).covers(earlier) || is_acquired(earlier, thread);
}

bool BlockOrder::is_heard(const Epoch& earlier, unsigned thread) const {
  const Thread& one = threads_[thread];
  return covers(one.heard[block_scope], earlier) || covers(one.heard[device_scope], earlier);
}

void BlockOrder::acquire(Thread& one, Scope scope) {
  for (unsigned s = block_scope; s <= scope; ++s) {
    one.acquired = joined(one.acquired, one.heard[s]);
    one.heard[s] = nullptr;
  }
}

void BlockOrder::fence(unsigned thread, Scope scope) {
  Thread& one = threads_[thread];
  acquire(one, scope);
  const ClockPointer now = joined(joined(acquired_, one.acquired), known(thread));
  for (unsigned s = block_scope; s <= scope; ++s) {
    one.released[s] = now;
    one.fenced[s] = next_moment();
  }
  any_fence_ = any_change_ = true;
}

// Has each thread that accessed memory since the last barrier made a fence after that?
bool BlockOrder::all_fenced(Scope scope) const {
  bool any = false;
  for (unsigned i = 0; i < count_; ++i) {
    const Thread& one = threads_[i];
    if (one.last_access >= barrier_ && one.last_access >= one.fenced[scope]) return false;
    any |= one.fenced[scope] > barrier_;
  }
  return any;
}

void BlockOrder::barrier() {
  if (any_heard_)
    for (unsigned i = 0; i < count_; ++i) {
      acquire(threads_[i], device_scope);
      acquired_ = joined(acquired_, threads_[i].acquired);
      if (threads_[i].heard_at.place != nullptr) heard_at_ = threads_[i].heard_at;
      if (threads_[i].unreleased.at != 0) {
        unreleased_ = threads_[i].unreleased;
        unreleased_at_ = threads_[i].unreleased_at;
      }
    }
  const Moment now = present_moment() + 1;
  if (any_fence_)
    for (const Scope scope : {block_scope, device_scope}) {
      if (all_fenced(scope)) {
        released_[scope] =
            joined(joined(released_[scope], acquired_), Known{now, now, now, block_});
        continue;
      }
      for (unsigned i = 0; i < count_; ++i)
        released_[scope] = joined(released_[scope], threads_[i].released[scope]);
    }
  if (any_change_)
    for (unsigned i = 0; i < count_; ++i) {
      const Moment last = threads_[i].last_access;
      threads_[i] = {};
      threads_[i].last_access = last;
    }
  any_heard_ = any_change_ = false;
  barrier_ = next_moment();
}

void BlockOrder::grid_barrier(Moment opened) {
  const auto all = std::make_shared<const Clock>(opened);
  acquired_ = all;
  released_[block_scope] = released_[device_scope] = all;
  barrier_ = opened;
}

void BlockOrder::warp_barrier(unsigned warp, unsigned lanes) {
  warps_[warp] = next_moment();
  if (!any_change_) return;
  ClockPointer acquired;
  ClockPointer released[2];
  const auto for_each_lane = [&](auto function) {
    for (unsigned lane = 0; lane < 32; ++lane)
      if ((lanes >> lane & 1) != 0) function(threads_[warp * 32 + lane]);
  };
  for_each_lane([&](Thread& one) {
    acquire(one, device_scope);
    acquired = joined(acquired, one.acquired);
    for (const Scope scope : {block_scope, device_scope})
      released[scope] = joined(released[scope], one.released[scope]);
  });
  for_each_lane([&](Thread& one) {
    one.acquired = acquired;
    for (const Scope scope : {block_scope, device_scope}) one.released[scope] = released[scope];
  });
}

void BlockOrder::hear(unsigned thread, const Released& word, const Synchronization& how,
                      const void* place, bool by_exchange) {
  Thread& one = threads_[thread];
  const bool in_block = word.to_block != nullptr && word.block == block_;
  if (in_block) one.heard[block_scope] = joined(one.heard[block_scope], word.to_block);
  if (how.scope == device_scope)
    one.heard[device_scope] = joined(one.heard[device_scope], word.to_all);
  one.heard_at = {Missing::acquire_fence, place, by_exchange};
  any_heard_ = any_change_ = true;
  if (how.acquires) acquire(one, how.scope);
}

void BlockOrder::hear_unreleased(unsigned thread, const Known& writer, const void* place_of_write,
                                 bool by_exchange) {
  threads_[thread].unreleased = writer;
  threads_[thread].unreleased_at = {Missing::release_fence, place_of_write, by_exchange};
  any_heard_ = any_change_ = true;
}

void BlockOrder::release(unsigned thread, const Known& known, Released& word,
                         const Synchronization& how) {
  Released next;
  next.block = block_;
  if (how.reads) {
    next.to_all = word.to_all;
    if (word.block == block_) next.to_block = word.to_block;
  }
  const Thread& one = threads_[thread];
  const auto own = [&](Scope scope) {
    if (how.releases) return joined(joined(acquired_, one.acquired), known);
    return joined(released_[scope], one.released[scope]);
  };
  if (how.scope == device_scope) next.to_all = joined(next.to_all, own(device_scope));
  next.to_block = joined(joined(next.to_block, next.to_all), own(block_scope));
  word = next;
}

BlockOrder::Missing BlockOrder::missing(const Epoch& earlier, unsigned thread) const {
  const Thread& one = threads_[thread];
  for (const ClockPointer& heard : one.heard)
    if (covers(heard, earlier)) return one.heard_at;
  if (one.unreleased.covers(earlier)) return one.unreleased_at;
  if (unreleased_.covers(earlier)) return unreleased_at_;
  const Missing& heard_at = one.heard_at.place != nullptr ? one.heard_at : heard_at_;
  for (const ClockPointer* const clock : {&acquired_, &one.acquired, &one.heard[device_scope]})
    if (*clock != nullptr && (*clock)->told_without(earlier) != nullptr)
      return {Missing::barrier, heard_at.place, heard_at.by_exchange};
  return {};
}

}  // namespace emulated::explain
