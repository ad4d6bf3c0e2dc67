// The one order of a launch's accesses: happens-before, as CUDA's memory model has it (PTX ISA,
// "Memory Consistency Model"; CUDA C++ Programming Guide, "Memory Fence Functions").
//
// An access happened before what a thread does now
//   - if the same thread did it, or it belongs to an earlier launch;
//   - if a barrier of the block, of the grid, or a __syncwarp of the warp lies between them;
//   - if the thread has acquired it. An atomic or volatile write releases what its thread knew at
//     its latest fence before, or before the barrier after such a fence; with memory_order_release
//     what it knows at once. An atomic or volatile read hears what was released there, and acquires
//     it at the next fence or barrier, with memory_order_acquire at once. Who changes a released
//     word atomically passes on what it held. A fence or an atomic operation of block scope does
//     this within its block only.
// What the thread has heard orders its own atomic accesses and volatile reads at once. All other
// accesses need the fence. An atomic operation alone orders nothing but itself.
#pragma once

#include <array>
#include <unordered_map>

#include "order/clock.h"

namespace emulated::explain {

constexpr unsigned max_threads = 1024;
enum Scope : unsigned { block_scope, device_scope };

/// The present moment, which accesses get as their epoch; and the next one, which begins then.
Moment present_moment();
Moment next_moment();

/// What a word of memory holds for those who read it atomically or volatile.
struct Released {
  ClockPointer to_all;
  ClockPointer to_block;  // the same and more, for readers in this block:
  std::uint32_t block = 0;
};

/// What an atomic or volatile access does to the order.
struct Synchronization {
  bool reads = false;
  bool writes = false;
  bool acquires = false;  // it says so itself (memory_order)
  bool releases = false;
  Scope scope = device_scope;
};

/// The order of the threads of a block that runs.
class BlockOrder {
 public:
  void begin(std::uint32_t block, unsigned threads);

  /// Does the access happen before what `thread` does now?
  bool is_ordered(const Epoch& earlier, unsigned thread) const;
  /// Is it ordered through what the thread has acquired, not by a barrier alone?
  bool is_acquired(const Epoch& earlier, unsigned thread) const;
  /// Has the thread heard of it, if it has not acquired it yet?
  bool is_heard(const Epoch& earlier, unsigned thread) const;
  /// What the thread knows now.
  Known known(unsigned thread) const;

  void access(unsigned thread) { threads_[thread].last_access = present_moment(); }
  void barrier();
  void grid_barrier(Moment opened);
  void warp_barrier(unsigned warp, unsigned lanes);
  void fence(unsigned thread, Scope scope);

  /// The thread reads the word at `place` in the program, by an exchange or not.
  void hear(unsigned thread, const Released& word, const Synchronization& how, const void* place,
            bool by_exchange);
  /// The thread reads a word; its latest writer, at `place_of_write`, knew this.
  void hear_unreleased(unsigned thread, const Known& writer, const void* place_of_write,
                       bool by_exchange);
  /// The thread, which knew this before, writes the word: it holds what the thread releases, and
  /// where the write reads as well, what it held.
  void release(unsigned thread, const Known& known, Released& word, const Synchronization& how);
  /// Is there something that a write could release?
  bool may_release() const { return any_fence_; }

  /// What is missing for the access to be ordered before what the thread does now.
  struct Missing {
    enum Kind { nothing, release_fence, acquire_fence, barrier } kind = nothing;
    const void* place = nullptr;  // of the atomic or volatile access that a fence is missing at
    bool by_exchange = false;     // the thread read that word by an exchange, as a lock does
  };
  Missing missing(const Epoch& earlier, unsigned thread) const;

 private:
  struct Thread {
    Moment last_access = 0;
    Moment fenced[2] = {};     // by scope
    ClockPointer released[2];  // what its next writes release
    ClockPointer acquired;     // what happened before what it does now
    ClockPointer heard[2];     // what it acquires at a fence of this scope
    // For advice: where it has heard that, and what it had heard, were there a fence before.
    Missing heard_at;
    Known unreleased;
    Missing unreleased_at;
  };

  void acquire(Thread& one, Scope scope);
  bool all_fenced(Scope scope) const;

  std::uint32_t block_ = 0;
  unsigned count_ = 0;  // of threads
  Moment barrier_ = 0;
  std::array<Moment, max_threads / 32> warps_{};
  std::array<Thread, max_threads> threads_;
  ClockPointer acquired_;     // by all
  ClockPointer released_[2];  // at the latest barrier, by all
  bool any_fence_ = false;    // in this block so far
  bool any_heard_ = false;    // since the latest barrier
  bool any_change_ = false;   // of threads_ but last_access
  Known unreleased_;          // of any thread before the latest barrier
  Missing unreleased_at_;
  Missing heard_at_;
};

}  // namespace emulated::explain
