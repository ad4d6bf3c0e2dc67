// What cu2cpp puts into loops in which a thread waits for another one's write (../../translate/waiting.h), and the
// device's clock.
#pragma once

#include <chrono>
#include <ctime>

#include "barriers.h"
#include "launch.h"

namespace emulated {

[[maybe_unused]] EMULATED_LOCAL thread_local constinit unsigned looks_in_row = 0;
[[maybe_unused]] EMULATED_LOCAL thread_local constinit unsigned looking_thread = 0;

/// Stands in a loop that looks at memory again and again: from the fifth look in a row on it lets other threads
/// run.
[[maybe_unused]] static inline void waiting(Location at = Location::current()) {
  const unsigned thread = thread_rank();
  if (thread != looking_thread) {
    looking_thread = thread;
    looks_in_row = 0;
  }
  if (++looks_in_row > 4) [[unlikely]]
    let_others_run(at);
}

[[maybe_unused]] EMULATED_LOCAL thread_local constinit unsigned clock_looks = 0;
[[maybe_unused]] EMULATED_LOCAL thread_local constinit unsigned clock_thread = 0;

/// clock() in a kernel. Ticks of 1 GHz, as cudaDevAttrClockRate promises; clock64() counts the same ones. A thread that
/// looks often waits for time to pass, and lets the other threads of its block wait meanwhile.
[[maybe_unused]] static inline clock_t device_clock(Location at = Location::current()) {
  const unsigned thread = thread_rank();
  if (thread != clock_thread) {
    clock_thread = thread;
    clock_looks = 0;
  }
  if (++clock_looks > looks_in_a_row) [[unlikely]]
    let_others_run(at);
  return static_cast<clock_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                  std::chrono::steady_clock::now().time_since_epoch())
                                  .count());
}

}  // namespace emulated
