// Barriers of a block, fences, clocks, and what threads call while they wait for each other's memory.
#pragma once

#include <cstdint>
#include <ctime>

#include "launch.h"

// The last argument tells where in the .cu the call stands; leave it out.
#define EMULATED_AT ::emulated::Location at = ::emulated::Location::current()

namespace emulated {
[[maybe_unused]] static inline int barrier(int value, Reduction reduction, const Call& call, Location at) {
  if (reduction == Reduction::none) {
    suspending([=, &call] { block_barrier(call, at); });
    return 0;
  }
  return suspending([=, &call] { return block_barrier(value, reduction, call, at); });
}

long long nanoseconds();  ///< of a steady clock

// A thread that only looks at memory may be waiting for another: others must run meanwhile. One that reads the
// same value at the same address again lets them run at once; one that looks at several words in turn, or fences, after
// many looks. Every loop in which a thread waits ends up here, as long as an atomic function, a fence or
// it calls __nanosleep. The runtime decides the rest (../../src/warps/waiting.cpp).
struct Looks {
  const void* address = nullptr;
  std::uint64_t value = 0;
  unsigned thread = 0;
  unsigned count = 0;  // since this thread let others run
};
[[maybe_unused]] EMULATED_LOCAL thread_local constinit Looks looks{};
constexpr unsigned looks_in_a_row = 64;

[[maybe_unused]] static inline void let_others_run(Location at, bool surely_waits = true) {
  looks.count = 0;
  if (strided_loops.running) return;  // no thread waits in such a loop (the pack grid_loops)
  suspending([=] { spin(at, surely_waits); });
}

// Notes that the thread found `value` at the address and perhaps waits for another one.
[[maybe_unused]] static inline void observe(const void* address, std::uint64_t value, Location at) {
  const unsigned thread = thread_rank();
  if (thread != looks.thread) {
    looks = {address, value, thread, 1};
    return;
  }
  const bool same = address == looks.address && value == looks.value;
  if (same || ++looks.count > looks_in_a_row) [[unlikely]]
    return let_others_run(at, same);
  looks.address = address;
  looks.value = value;
}

[[maybe_unused]] static inline void fence(Location at) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  explain::fence();
  const unsigned thread = thread_rank();
  if (thread != looks.thread)
    looks = {nullptr, 0, thread, 1};
  else if (++looks.count > looks_in_a_row) [[unlikely]]
    let_others_run(at, false);
}

// ---- what cu2cpp puts into loops in which a thread waits for another one's write (../../translate/waiting.cpp) ----
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

// Waits until all threads of the block have come here; what each wrote before, all see afterwards.
[[maybe_unused]] static inline void __syncthreads(EMULATED_AT) {
  static constexpr emulated::Call call{"__syncthreads"};
  emulated::barrier(0, emulated::Reduction::none, call, at);
}
// The same, and returns for how many threads `predicate` was not 0.
[[maybe_unused]] static inline int __syncthreads_count(int predicate, EMULATED_AT) {
  static constexpr emulated::Call call{"__syncthreads_count"};
  return emulated::barrier(predicate != 0, emulated::Reduction::count, call, at);
}
// The same, and returns whether it was not 0 for all of them.
[[maybe_unused]] static inline int __syncthreads_and(int predicate, EMULATED_AT) {
  static constexpr emulated::Call call{"__syncthreads_and"};
  return emulated::barrier(predicate != 0, emulated::Reduction::all, call, at);
}
// The same, and returns whether it was not 0 for any of them.
[[maybe_unused]] static inline int __syncthreads_or(int predicate, EMULATED_AT) {
  static constexpr emulated::Call call{"__syncthreads_or"};
  return emulated::barrier(predicate != 0, emulated::Reduction::any, call, at);
}

[[maybe_unused]] static inline void __threadfence(EMULATED_AT) { emulated::fence(at); }
[[maybe_unused]] static inline void __threadfence_block(EMULATED_AT) { emulated::fence(at); }
[[maybe_unused]] static inline void __threadfence_system(EMULATED_AT) { emulated::fence(at); }

// Sleeps on hardware; here it lets other threads run.
[[maybe_unused]] static inline void __nanosleep(unsigned, EMULATED_AT) { emulated::let_others_run(at); }

// Ends the kernel with cudaErrorLaunchFailure.
[[noreturn, maybe_unused]] static inline void __trap() {
  emulated::suspended = true;
  emulated::device_fault(cudaErrorLaunchFailure, "__trap() was called");
}
// A place where a debugger would stop.
[[maybe_unused]] static inline void __brkpt() {}

// Time stamps. The unit of clock64 is the nanosecond here.
[[maybe_unused]] static inline long long clock64() { return emulated::nanoseconds(); }
