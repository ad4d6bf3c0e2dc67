#include "pool.h"

#include <algorithm>
#include <exception>

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
    threads_.emplace_back([this, in_present_run, index, seen = turn_.load()] {
      if (in_present_run) take_part();
      serve(index, seen);
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
  if (count > 1) {
    busy_.store(count - 1);
    turn_.store(((turn_.load() >> count_bits) + 1) << count_bits | count,
                std::memory_order_release);
    turn_.notify_all();
  }
  work();
  for (unsigned left = busy_.load(); left != 0;) left = wait_for_change(busy_, left);
}

bool Pool::add() {
  const std::lock_guard lock(mutex_);
  ++busy_;
  if (begin_thread(true)) return true;
  --busy_;
  return false;
}

void Pool::take_part() {
  work_();
  if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
}

void Pool::serve(unsigned index, std::uint64_t seen) {
  for (;;) {
    seen = wait_for_change(turn_, seen, index < settings().workers ? looks_before_sleep : 0);
    if (index < (seen & ((1u << count_bits) - 1))) take_part();
  }
}

}  // namespace emulated
