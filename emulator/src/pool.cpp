#include "pool.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace emulated {

namespace {

// A launch follows the last one within microseconds, mostly: waking a sleeping thread takes longer than that.
// So both sides look a while before they sleep.
constexpr int looks_before_sleep = 2000;

inline void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

// Waits until `value` is not `old` any more and returns it.
template <class T>
T wait_for_change(const std::atomic<T>& value, T old) {
  for (int i = 0; i < looks_before_sleep; ++i) {
    const T now = value.load(std::memory_order_acquire);
    if (now != old) return now;
    pause();
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

Pool::~Pool() {
  turn_.store(quit);
  turn_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pool::run(unsigned count, void (*work)(unsigned index)) {
  if (count == 1) return work(0);
  const std::uint64_t now = turn_.load();
  work_ = work;
  busy_.store(count - 1);
  const std::uint64_t next = ((now >> count_bits) + 1) << count_bits | count;
  while (threads_.size() < count - 1) {
    const auto index = static_cast<unsigned>(threads_.size() + 1);
    threads_.emplace_back([this, index] { serve(index); });
  }
  turn_.store(next, std::memory_order_release);
  turn_.notify_all();
  work(0);
  for (unsigned left = busy_.load(); left != 0;) left = wait_for_change(busy_, left);
}

void Pool::serve(unsigned index) {
  // A thread is made in the middle of a run that waits for it: its first turn is the one that comes or has
  // come.
  std::uint64_t seen = 0;
  for (;;) {
    const std::uint64_t turn = wait_for_change(turn_, seen);
    if (turn == quit) return;
    seen = turn;
    if (index < (turn & ((1u << count_bits) - 1))) {
      work_(index);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
  }
}

}  // namespace emulated
