#include "pool.h"

#include <algorithm>
#include <exception>

#include "platform/platform.h"
#include "settings.h"

namespace emulated {

namespace {

// A launch follows the last one within microseconds, mostly: waking a sleeping thread takes longer than that.
// So both sides look a while before they sleep. Of hundreds, which only cooperative launches have, most sleep at once.
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

unsigned Pool::prepare(unsigned count) {
  const std::lock_guard lock(mutex_);
  try {
    while (threads_.size() + 1 < count) {
      const auto index = static_cast<unsigned>(threads_.size() + 1);
      threads_.emplace_back([this, index, seen = turn_.load()] { serve(index, seen); });
    }
  } catch (const std::exception&) {  // the system gives no more threads, or no memory
  }
  return std::min(count, static_cast<unsigned>(threads_.size() + 1));
}

void Pool::run(unsigned count, void (*work)(unsigned index)) {
  if (count > 1) {
    work_ = work;
    busy_.store(count - 1);
    turn_.store(((turn_.load() >> count_bits) + 1) << count_bits | count, std::memory_order_release);
    turn_.notify_all();
    work(0);
  } else {
    work_ = work;
    work(0);
  }
  for (unsigned left = busy_.load(); left != 0;) left = wait_for_change(busy_, left);
}

bool Pool::add(unsigned index) {
  const std::lock_guard lock(mutex_);
  ++busy_;
  try {
    // The next runs find it at its place in the row.
    const auto place = static_cast<unsigned>(threads_.size() + 1);
    threads_.emplace_back([this, index, place, seen = turn_.load()] {
      work_(index);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
      serve(place, seen);
    });
  } catch (const std::exception&) {
    --busy_;
    return false;
  }
  return true;
}

void Pool::serve(unsigned index, std::uint64_t seen) {
  for (;;) {
    const std::uint64_t turn =
        wait_for_change(turn_, seen, index < settings().workers ? looks_before_sleep : 0);
    seen = turn;
    if (index < (turn & ((1u << count_bits) - 1))) {
      work_(index);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
  }
}

}  // namespace emulated
