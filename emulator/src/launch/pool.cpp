#include "pool.h"

#include <algorithm>
#include <exception>

#include "emulated/explain_hooks.h"
#include "platform/platform.h"
#include "settings.h"

namespace emulated {

namespace {

// A launch follows the last one within microseconds, mostly: waking a sleeping thread takes longer
// than that. So both sides look a while before they sleep. Most of hundreds of threads,
// which only cooperative launches have, sleep at once.
constexpr int looks_before_sleep = 2000;

// Waits until `value` is no longer `old` and returns it.
template <class T>
T wait_for_change(const std::atomic<T>& value, T old, int looks = looks_before_sleep) {
  for (int i = 0; i < looks; ++i) {
    const T now = value.load(std::memory_order_acquire);
    if (now != old) return now;
    pause_processor();
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

bool Pool::begin_thread(bool in_present_run) {
  const auto index = static_cast<unsigned>(threads_.size() + 1);
  try {
    if (turns_.size() == index) turns_.emplace_back(0);
    threads_.emplace_back([this, in_present_run, index, seen = turn_.load(), &own = turns_[index]] {
      if (in_present_run) take_part(own);
      serve(index, seen, own);
    });
    return true;
  } catch (const std::exception&) {  // the system gives no more threads, or no memory
    return false;
  }
}

unsigned Pool::prepare(unsigned count) {
  const std::lock_guard lock(mutex_);
  while (threads_.size() + 1 < count && begin_thread(false)) {
  }
  return std::min(count, static_cast<unsigned>(threads_.size() + 1));
}

void Pool::run(unsigned count, void (*work)()) {
  work_ = work;
  present_ = 0;
  for (unsigned i = 1; explain::on && i < count; ++i) next_.push_back(i);
  if (count > 1) {
    busy_.store(count - 1);
    turn_.store(((turn_.load() >> count_bits) + 1) << count_bits | count,
                std::memory_order_release);
    turn_.notify_all();
  }
  work();
  end_turn();
  for (unsigned left = busy_.load(); left != 0;) left = wait_for_change(busy_, left);
}

bool Pool::add() {
  const std::lock_guard lock(mutex_);
  ++busy_;
  if (begin_thread(true)) {
    if (explain::on) next_.push_back(static_cast<unsigned>(threads_.size()));
    return true;
  }
  --busy_;
  return false;
}

void Pool::end_turn() {
  if (next_.empty()) return;
  present_ = next_.front();
  next_.pop_front();
  turns_[present_].store(1);
  turns_[present_].notify_one();
}

void Pool::pass_turn() {
  if (next_.empty()) return;
  Turn& own = turns_[present_];
  next_.push_back(present_);
  end_turn();
  own.wait(0);
  own.store(0);
}

void Pool::take_part(Turn& own) {
  if (explain::on) {
    own.wait(0);
    own.store(0);
  }
  work_();
  end_turn();
  if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
}

void Pool::serve(unsigned index, std::uint64_t seen, Turn& own) {
  for (;;) {
    seen = wait_for_change(turn_, seen, index < settings().workers ? looks_before_sleep : 0);
    if (index < (seen & ((1u << count_bits) - 1))) take_part(own);
  }
}

}  // namespace emulated
