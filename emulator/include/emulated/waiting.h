// What cu2cpp puts into loops in which a thread waits for another one's write (../../translate/waiting.cpp), and the
// device's clock.
#pragma once

#include <ctime>

#include "barriers.h"
#include "launch.h"

namespace emulated {

// How often the same thread has looked in a row.
struct LooksOfThread {
  unsigned thread = 0, count = 0;
};
// One look more by the present thread: are there more than `most` now?
[[maybe_unused]] static inline bool exceed(LooksOfThread& looks_so_far, unsigned most) {
  const unsigned thread = thread_rank();
  if (thread != looks_so_far.thread) looks_so_far = {thread, 0};
  return ++looks_so_far.count > most;
}
[[maybe_unused]] EMULATED_LOCAL thread_local constinit LooksOfThread memory_looks{}, clock_looks{};

/// Goes into a loop that looks at memory again and again: from the fifth look in a row on it lets other threads
/// run.
[[maybe_unused]] static inline void waiting(Location at = Location::current()) {
  if (exceed(memory_looks, 4)) [[unlikely]]
    let_others_run(at);
}

/// clock() in a kernel. Ticks of 1 GHz, as cudaDevAttrClockRate promises; clock64() counts the same ones. A thread that
/// looks often waits for time to pass, and lets the other threads of its block wait meanwhile.
[[maybe_unused]] static inline clock_t device_clock(Location at = Location::current()) {
  if (exceed(clock_looks, looks_in_a_row)) [[unlikely]]
    let_others_run(at);
  return static_cast<clock_t>(nanoseconds());
}

}  // namespace emulated
