// A block that runs on an OS thread: which of its threads run, wait, can go on.
//
// A block's threads run one after another, each to its end, in a plain loop (launch.h) on the main fiber.
// Only when a thread must wait for others (at a barrier, in a warp operation) does this class come in: the
// waiting thread keeps the fiber it is on, and the threads after it are started on further fibers. Whoever
// arrives last lets the others go on. So a kernel without barriers pays nothing, and one with barriers pays a
// switch of stacks per thread and barrier.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "../include/emulated/scheduler.h"
#include "device_limits.h"
#include "fiber.h"

namespace emulated {

struct Worker;

// One warp: who waits in an operation, and what they have brought to it.
struct Warp {
  unsigned arrived = 0;  // lanes that wait
  unsigned ended = 0;    // lanes whose thread has ended
};
struct WarpLanes {  // the entries of lanes that have arrived count
  unsigned mask[32];
  WarpOperation operation[32];
  Fiber* fiber[32];
};

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

// Fibers that can go on: first in, first out.
class ReadyQueue {
 public:
  explicit ReadyQueue(FiberRoom& room) : fibers_(room.fibers.data()) {}
  bool empty() const { return first_ == last_; }
  unsigned size() const { return last_ - first_; }
  void add(Fiber* fiber) { fibers_[last_++ % places] = fiber; }
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

class Block {
 public:
  enum class Phase {
    loop,       // no thread has been suspended: the plain loop runs them
    scheduled,  // a thread has been suspended: this class decides who runs
    draining    // and the main fiber only waits for the block's end
  };

  Block(Worker& worker, std::uint64_t number, unsigned threads);

  // ---- what the loop over threads does (block.cpp) ----
  // Runs the rest of a block of which a thread was suspended.
  void finish();
  // What a fiber does.
  [[noreturn]] void run_fiber();

  // ---- what threads wait for ----
  void barrier(unsigned thread, const char* name, Location at);
  int barrier(unsigned thread, int value, Reduction reduction, const char* name, Location at);
  void grid_barrier(unsigned thread, Location at);
  void warp_operation(unsigned thread, unsigned mask, std::uint64_t value, std::uint64_t argument,
                      WarpOperation operation, const char* name, Location at);
  unsigned converged_lanes(unsigned thread, Location at);
  void spin(unsigned thread, Location at);

  bool all_passed_barrier() const { return passed_by_all_; }

  std::uint64_t number() const { return number_; }
  unsigned threads() const { return threads_; }
  Phase phase() const { return phase_; }
  // Who waits where and how many have ended, one line per place (diagnosis.cpp).
  std::string who_waits() const;

 private:
  // ---- block.cpp ----
  void begin_scheduling(unsigned thread);
  void run_next_thread();
  void thread_ended(unsigned thread);
  Fiber& fresh_fiber();
  void switch_to(Fiber& fiber);
  void schedule();
  void schedule_start();
  unsigned thread_at(unsigned position) const;
  bool all_started() const { return next_ >= threads_; }
  void note_progress() { ++progress_; }
  // The thread that runs now has come to a place where it may have to wait.
  Fiber& arrive(unsigned thread, const char* name, Location at);

  // ---- barrier.cpp ----
  void come_to_barrier(Fiber& self, bool grid);
  void open_barrier();
  void meet_elsewhere(const Fiber& self, bool grid);
  void warn_ended_threads();

  // ---- warp.cpp ----
  unsigned existing_lanes(unsigned warp) const;
  void complete(unsigned warp, unsigned mask, const Fiber* self);
  void warn_ended_lanes(const Fiber& fiber) const;
  void complete_without_ended(unsigned warp);
  bool release_converging();

  // ---- waiting.cpp ----
  void give_way();
  void watch(Fiber& self, const void* frame);
  bool only_waits() const;
  void all_only_wait(std::chrono::steady_clock::duration quiet);

  Worker& worker_;
  const std::uint64_t number_;
  const unsigned threads_;
  Phase phase_ = Phase::loop;
  // Threads are started by their positions in the order of execution.
  const std::uint16_t* order_ = nullptr;  // thread numbers by position; nullptr: in order
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
  unsigned watch_ = 0;    // the number of times that this has begun

  // Large; used from the first suspended thread on.
  ReadyQueue ready_{rooms_[1]};
  FiberList idle_{rooms_[2]};        // fibers that have nothing to do
  FiberList converging_{rooms_[3]};  // threads in __activemask
  std::array<Warp, threads_per_block / 32> warps_;
  std::array<WarpLanes, threads_per_block / 32> lanes_;
  std::array<WarpExchange, threads_per_block / 32> exchanges_;
};

}  // namespace emulated
