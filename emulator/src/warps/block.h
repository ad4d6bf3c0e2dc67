// A block that runs on an OS thread: which of its threads run, wait, can go on.
//
// A block's threads run one after another, each to its end, in a plain loop (launch.h) on the main fiber.
// Only when a thread must wait for others (at a barrier, in a warp operation) does this class come in: the
// waiting thread keeps the fiber it is on, and the threads after it are started on further fibers. The last
// to arrive lets the others go on. So a kernel without barriers pays nothing, and one with barriers pays a
// switch of stacks per thread and barrier.
#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "device/limits.h"
#include "emulated/scheduler.h"
#include "os_thread.h"
#include "platform/fiber.h"
#include "platform/platform.h"

namespace emulated {

// Room for the fibers of a block; a ready queue needs a power of two.
struct FiberRoom {
  FiberRoom() {}  // NOLINT(modernize-use-equals-default): would fill the array
  std::array<Fiber*, 2 * threads_per_block> fibers;
};

// Fibers in the order in which they came.
class FiberList {
 public:
  explicit FiberList(FiberRoom& room) : fibers_(room.fibers.data()) {}
  bool empty() const { return count_ == 0; }
  unsigned size() const { return count_; }
  void add(Fiber* fiber) { fibers_[count_++] = fiber; }
  Fiber* take_last() { return fibers_[--count_]; }
  void clear() { count_ = 0; }
  void shorten(unsigned count) { count_ = count; }
  std::span<Fiber*> span() { return {fibers_, count_}; }
  Fiber& front() const { return *fibers_[0]; }
  Fiber*& operator[](unsigned i) { return fibers_[i]; }
  Fiber* const* begin() const { return fibers_; }
  Fiber* const* end() const { return fibers_ + count_; }

 private:
  friend class ReadyQueue;
  Fiber** fibers_;
  unsigned count_ = 0;
};

// Fibers that can go on, in this order.
class ReadyQueue {
 public:
  explicit ReadyQueue(FiberRoom& room) : fibers_(room.fibers.data()) {}
  bool empty() const { return first_ == last_; }
  unsigned size() const { return last_ - first_; }
  void add(Fiber* fiber) { fibers_[last_++ % places] = fiber; }
  // Before all others: the fibers of these lanes.
  void add_first(Fiber* const* fiber_of_lane, unsigned lanes) {
    unsigned place = first_ -= static_cast<unsigned>(std::popcount(lanes));
    for (; lanes != 0; lanes &= lanes - 1) fibers_[place++ % places] = fiber_of_lane[std::countr_zero(lanes)];
  }
  Fiber& take() { return *fibers_[first_++ % places]; }
  Fiber* operator[](unsigned i) const { return fibers_[(first_ + i) % places]; }
  // Adds all of the list, which is empty then.
  void take_all(FiberList& list) {
    if (empty()) {
      std::swap(fibers_, list.fibers_);
      first_ = 0;
      last_ = list.count_;
    } else {
      for (Fiber* fiber : list) add(fiber);
    }
    list.clear();
  }

 private:
  static constexpr unsigned places = 2 * threads_per_block;  // no more than one entry per fiber
  Fiber** fibers_;
  unsigned first_ = 0, last_ = 0;
};

// What fibers do: run threads of the present block that have not been started yet.
[[noreturn]] void fiber_entry();

class Block {
 public:
  enum class Phase {
    loop,       // no thread has been suspended: the plain loop runs them
    scheduled,  // a thread has been suspended: this class decides who runs
    draining    // and the main fiber only waits for the block's end
  };

  Block(std::uint64_t number, unsigned threads);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { not_idle(); }

  // ---- what the loop over threads does (block.cpp) ----
  // The first thread of a block that has to wait runs in the loop of the main fiber. From now on the block is run here.
  void begin_scheduling(unsigned thread);
  // Runs the rest of a block of which a thread was suspended.
  void finish();
  // What a fiber does.
  [[noreturn]] void run_fiber();

  // ---- what threads wait for ----
  void barrier(const Call& call, Location at);
  int barrier(int value, Reduction reduction, const Call& call, Location at);
  void grid_barrier(Location at);
  void warp_operation(unsigned mask, std::uint64_t value, std::uint64_t argument, const Call& call,
                      Location at);
  unsigned converged_lanes(Location at);
  void spin(Location at, bool surely);

  bool all_passed_barrier() const { return passed_by_all_; }

  std::uint64_t number() const { return number_; }
  const PackedIndex* thread_order() const { return indices_; }
  unsigned threads() const { return threads_; }
  Phase phase() const { return phase_; }
  // Who waits where and how many have ended, one line per place (diagnosis.cpp).
  std::string who_waits() const;

 private:
  // ---- block.cpp ----
  void begin_thread(unsigned thread);
  void run_next_thread();
  void thread_ended(unsigned thread);
  Fiber& fresh_fiber();
  void switch_to(Fiber& fiber);
  void schedule();
  void schedule_start();
  bool all_started() const { return next_ >= threads_; }
  void note_progress() { ++progress_; }
  // The thread that runs now has come to a place where it may have to wait.
  Fiber& arrive(const Call& call, Location at);
  // Lets all others that can run do so first.
  void yield(Fiber& self);

  // ---- barrier.cpp ----
  void come_to_barrier(Fiber& self, bool grid);
  void look_and_come_to_barrier(Fiber& self, bool grid);
  void open_barrier();
  void wait_at_barrier(Fiber& self);
  void meet_elsewhere(Fiber& self, bool grid);
  void warn_ended_threads();

  // ---- warp.cpp ----
  void come_to_operation(Fiber& self, unsigned mask, std::uint64_t value, std::uint64_t argument);
  void look_and_come_to_operation(Fiber& self, unsigned mask, std::uint64_t value, std::uint64_t argument);
  void complete(Warp& warp, unsigned mask, Fiber* self);
  void complete_without_ended(Warp& warp);
  bool release_converging();

  // ---- waiting.cpp ----
  void give_way(bool surely);
  void watch(Fiber& self, const char* frame, bool works);
  bool only_waits() const;
  // Is it time to look at the thread? That takes as long as dozens of barriers.
  static bool look_is_due(Fiber& self) { return ++self.waits % 1024 == 0; }
  void look(Fiber& self);
  bool all_repeat();
  bool all_blocks_idle(std::chrono::steady_clock::time_point now);
  void not_idle();
  [[noreturn]] void no_progress(const char* what);

  const std::uint64_t number_;
  const unsigned threads_;
  Phase phase_ = Phase::loop;
  // Threads are started by their positions in the order of execution.
  const std::uint16_t* order_ = nullptr;  // thread numbers by position
  const PackedIndex* indices_ = nullptr;  // the same as indices
  unsigned next_ = 0;                     // the next one to start
  unsigned live_ = 0;                     // threads that have not ended
  unsigned fibers_made_ = 1;

  FiberRoom rooms_[4];
  FiberList waiting_{rooms_[0]};  // at the barrier
  bool waits_for_grid_ = false;   // do they wait for the whole grid?
  int reduced_ = 0;               // of what they have brought
  int result_ = 0;                // of the barrier that opened last
  unsigned barriers_passed_ = 0;
  bool meet_elsewhere_ = false;  // do they wait at different places?
  bool passed_by_all_ = false;   // the barrier that opened last: did all threads come, to one place?

  // For the watchdog (waiting.cpp): did anything happen since the last look?
  std::uint64_t progress_ = 1, progress_seen_ = 0;
  std::uint64_t quiet_turns_ = 0;  // since then
  std::chrono::steady_clock::time_point quiet_since_, asked_for_more_;
  std::uint64_t idle_in_tick_ = 0;  // the last tick in which this block only waited
  unsigned spins_ = 0;
  bool watched_ = false;  // is it looked whether threads come back to the same state?
  unsigned watch_ = 1;    // the number of times that this has begun
  std::chrono::steady_clock::time_point looked_;
  std::uint64_t memory_ = 0;  // a hash of memory when all began to repeat themselves; 0: they do not

  // Large; used from the first suspended thread on.
  ReadyQueue ready_{rooms_[1]};
  FiberList idle_{rooms_[2]};                       // fibers that have nothing to do
  FiberList converging_{rooms_[3]};                 // threads in __activemask
  unsigned operations_ = 0;                         // of warps, since all others had their turn
  std::array<Warp, threads_per_block / 32> warps_;  // set up by begin_scheduling()
};

// ---- which thread runs next ----
// Here, because every barrier and every warp operation comes through it and calls cost as much as all the rest.

// To another fiber than the present one.
[[gnu::always_inline]] inline void Block::switch_to(Fiber& fiber) {
  Fiber& from = *os_thread->current;
  os_thread->current = &fiber;
  Fiber::switch_to(from, fiber);
}

// The present fiber cannot go on: gives the OS thread to another one. Returns when another fiber wakes this one.
[[gnu::always_inline]] inline void Block::schedule() {
  if (ready_.empty()) return schedule_start();
  switch_to(ready_.take());
}

[[gnu::always_inline]] inline void Block::yield(Fiber& self) {
  if (ready_.empty() && all_started()) return;
  ready_.add(&self);  // not the first
  if (!all_started())
    switch_to(fresh_fiber());
  else
    schedule();
}

[[gnu::always_inline]] inline Fiber& Block::arrive(const Call& call, Location at) {
  Fiber& self = *os_thread->current;
  self.call = &call;
  self.at = at;
#if defined(__SANITIZE_ADDRESS__)
  // AddressSanitizer's frames have room in which earlier calls have left something: none below this one tells the thread's
  // state (Block::watch), which is saved here.
  __builtin_unwind_init();
  self.frame = static_cast<const char*>(__builtin_frame_address(0)) - saved_below_frame;
#endif
  return self;
}

}  // namespace emulated
