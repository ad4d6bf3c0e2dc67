// Barriers of a block, fences, clocks, and what threads call while they
// wait for each other's memory.
#pragma once

#include <cstdint>
#include <ctime>

#include "launch.h"

// The last argument says where in the .cu the call stands; leave it out.
#define EMULATED_AT ::emulated::Location at = ::emulated::Location::current()

namespace emulated {
[[maybe_unused]] static inline void barrier(const Call& call, Location at) {
  suspending([=, &call] { block_barrier(call, at); });
}
[[maybe_unused]] static inline int count_at_barrier(bool counted, const Call& call, Location at) {
  return suspending([=, &call] { return counting_barrier(counted, call, at); });
}

long long nanoseconds();  ///< of a steady clock

// A thread that only looks at memory may be waiting for another: others must run meanwhile. One
// that reads the same value at the same address again lets them run at once; one that looks at
// several words in turn, or fences, after many looks. Every loop in which a thread waits ends up
// here, as long as an atomic function, a fence or it calls __nanosleep. The runtime decides the
// rest (../../src/warps/waiting.cpp).
struct Looks {
  unsigned thread = 0;
  unsigned count = 0;  // by this thread in a row, since it let others run
  const void* address = nullptr;
  std::uint64_t value = 0;
};
// At memory by atomic functions and fences, by the loops that cu2cpp has found, at the clock.
EMULATED_OWN Looks looks{}, looks_in_loop{}, looks_at_clock{};
constexpr unsigned looks_in_a_row = 64;
// One look more by the present thread: are there more than `most` now? More are not counted: the
// compiler may keep a copy of the count on the stack, where a thread that only waits would never
// come back to the same state.
[[maybe_unused]] static inline bool exceed(Looks& so_far, unsigned most) {
  const unsigned thread = thread_rank();
  if (thread == so_far.thread) return so_far.count > most || ++so_far.count > most;
  so_far = {thread, 1};
  return false;
}

[[maybe_unused]] static inline void let_others_run(Location at, bool saw_same_value = true) {
  looks.count = 0;
  if (strided_loops.running) return;  // no thread waits in such a loop (the pack grid_loops)
  suspending([=] { spin(at, saw_same_value); });
}

// Notes that the thread found `value` at the address and perhaps waits for another one.
[[maybe_unused]] static inline void observe(const void* address, std::uint64_t value, Location at) {
  const bool same =
      address == looks.address && value == looks.value && thread_rank() == looks.thread;
  if (same || exceed(looks, looks_in_a_row)) [[unlikely]]
    return let_others_run(at, same);
  looks.address = address;
  looks.value = value;
}

[[maybe_unused]] static inline void fence(Location at, bool whole_device = true) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  ++orderings;
  if (explain::on) explain::fence(whole_device);
  if (exceed(looks, looks_in_a_row)) [[unlikely]]
    let_others_run(at, false);
}

// ---- what cu2cpp puts into loops in which a thread waits for another one's write
// (../../translate/waiting.cpp) ----
/// Goes into a loop that looks at memory again and again: from the fifth look in a
/// row on it lets other threads run.
[[maybe_unused]] static inline void waiting(Location at = Location::current()) {
  if (explain::on) explain::waits();
  if (exceed(looks_in_loop, 4)) [[unlikely]]
    let_others_run(at);
}

/// clock() in a kernel. Ticks of 1 GHz, as cudaDevAttrClockRate promises; clock64() counts
/// the same ones. A thread that looks often waits for time to pass, and lets the other
/// threads of its block wait meanwhile.
[[maybe_unused]] static inline clock_t device_clock(Location at = Location::current()) {
  if (exceed(looks_at_clock, looks_in_a_row)) [[unlikely]]
    let_others_run(at);
  return static_cast<clock_t>(nanoseconds());
}

}  // namespace emulated

// Waits until all threads of the block have come here; what each wrote before, all see afterwards.
[[maybe_unused]] static inline void __syncthreads(EMULATED_AT) {
  static constexpr emulated::Call call{"__syncthreads"};
  emulated::barrier(call, at);
}
// The same, and returns for how many threads `predicate` was not 0.
[[maybe_unused]] static inline int __syncthreads_count(int predicate, EMULATED_AT) {
  static constexpr emulated::Call call{"__syncthreads_count"};
  return emulated::count_at_barrier(predicate != 0, call, at);
}
// The same, and returns whether it was not 0 for all of them.
[[maybe_unused]] static inline int __syncthreads_and(int predicate, EMULATED_AT) {
  static constexpr emulated::Call call{"__syncthreads_and"};
  return emulated::count_at_barrier(predicate == 0, call, at) == 0;
}
// The same, and returns whether it was not 0 for any of them.
[[maybe_unused]] static inline int __syncthreads_or(int predicate, EMULATED_AT) {
  static constexpr emulated::Call call{"__syncthreads_or"};
  return emulated::count_at_barrier(predicate != 0, call, at) != 0;
}

[[maybe_unused]] static inline void __threadfence(EMULATED_AT) { emulated::fence(at); }
[[maybe_unused]] static inline void __threadfence_block(EMULATED_AT) { emulated::fence(at, false); }
[[maybe_unused]] static inline void __threadfence_system(EMULATED_AT) {
  emulated::note_host_is_told();
  emulated::fence(at);
}

// Sleeps on hardware; here it lets other threads run.
[[maybe_unused]] static inline void __nanosleep(unsigned, EMULATED_AT) {
  emulated::let_others_run(at);
}

// Ends the kernel with cudaErrorLaunchFailure.
[[noreturn, maybe_unused]] static inline void __trap() {
  emulated::suspended = true;
  emulated::device_fault(cudaErrorLaunchFailure, "__trap() was called");
}
// A place where a debugger would stop.
[[maybe_unused]] static inline void __brkpt() {}

// Time stamps. The unit of clock64 is the nanosecond here.
[[maybe_unused]] static inline long long clock64() { return emulated::nanoseconds(); }
