// A block that runs on an OS thread: which of its threads run, wait, can go on.
//
// A block's threads run one after another, each to its end, in a plain loop (launch.h) on the main
// fiber. Only when a thread must wait for others (at a barrier, in a warp operation) does this
// class come in: the waiting thread keeps the fiber it is on, and the threads after it are started
// on further fibers. The last to arrive lets the others go on. So a kernel without barriers pays
// nothing, and one with barriers pays a switch of stacks per thread and barrier.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/limits.h"
#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "launch/running.h"
#include "platform/fiber.h"
#include "platform/platform.h"
#include "thread_order.h"

namespace emulated {

// Fibers in an order. Each is in one list at most, so a list is made of the fibers themselves.
class FiberList {
 public:
  bool empty() const { return first_ == nullptr; }
  Fiber* first() const { return first_; }  // the others follow by Fiber::next
  void add(Fiber* fiber) {
    (empty() ? first_ : last_->next) = fiber;
    last_ = fiber;
    fiber->next = nullptr;
  }
  void add_first(Fiber* fiber) {
    if (empty()) last_ = fiber;
    fiber->next = first_;
    first_ = fiber;
  }
  Fiber* take() { return std::exchange(first_, first_->next); }
  // Adds all of the other list, which is empty then.
  void take_all(FiberList& other) {
    if (other.empty()) return;
    (empty() ? first_ : last_->next) = other.first_;
    last_ = other.last_;
    other.first_ = nullptr;
  }

 private:
  Fiber *first_ = nullptr, *last_ = nullptr;
};

// Both point to the same object: mostly so for one and the same place.
inline bool same_object(Location a, Location b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same_place(Location a, Location b);

extern const Call change_of_memory;  // what spin() waits for
extern const Call activemask;

// What fibers do: run threads of the present block that have not been started yet.
[[noreturn]] void fiber_entry();

class Block {
 public:
  Block(std::uint64_t number, unsigned threads);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { note_not_idle(); }

  // ---- what the loop over threads does (block.cpp) ----
  // The first thread of a block that has to wait runs in the loop of the main fiber. From now on
  // the block is run here.
  void begin_scheduling(unsigned thread);
  // Runs the rest of a block of which a thread was suspended.
  void finish();
  // The kernel has failed in this thread: lets the other lanes of its warp come to
  // the same, and leaves the block.
  [[noreturn]] void end_with_warp(unsigned thread);
  // What a fiber does.
  [[noreturn]] void run_fiber();
  // The present thread waits until explain::next_in_turn() names its fiber.
  void wait_for_turn() { schedule(); }

  // ---- what threads wait for ----
  void barrier(const Call& call, Location at);
  int counting_barrier(bool counted, const Call& call, Location at);
  void grid_barrier(Location at);
  void warp_operation(unsigned mask, std::uint64_t value, std::uint64_t argument, const Call& call,
                      Location at);
  unsigned converged_lanes(Location at);
  void spin(Location at, bool saw_same_value);

  bool all_passed_barrier() const { return passed_by_all_; }

  std::uint64_t number() const { return number_; }
  const PackedIndex* thread_order() const { return order_; }
  unsigned threads() const { return threads_; }
  // Who waits where and how many have ended, one line per place (diagnosis.cpp).
  std::string who_waits() const;

 private:
  // ---- block.cpp ----
  unsigned thread_at(unsigned position) const;
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
  void check_progress_and_come_to_barrier(Fiber& self, bool grid);
  void open_barrier();
  void wait_at_barrier(Fiber& self);
  void meet_elsewhere(Fiber& self, bool grid);
  void warn_ended_threads();

  // ---- warp.cpp ----
  void come_to_operation(Fiber& self, unsigned mask, std::uint64_t value, std::uint64_t argument);
  void check_progress_and_come_to_operation(Fiber& self, unsigned mask, std::uint64_t value,
                                            std::uint64_t argument);
  void complete(Warp& warp, unsigned mask, Fiber* self);
  void complete_without_ended(Warp& warp);
  unsigned converging_with(const Fiber& fiber) const;
  bool release_converging(unsigned after_spins);
  void release_during_spins();

  // ---- waiting.cpp ----
  void let_others_run(bool saw_same_value);
  void watch(Fiber& self, const char* frame);
  // Is it time to look at the thread? That takes as long as dozens of barriers.
  static constexpr unsigned waits_until_check = 1024;
  static bool progress_check_is_due(Fiber& self) { return ++self.waits % waits_until_check == 0; }
  void check_progress(Fiber& self);
  bool all_repeat();
  bool all_blocks_idle();
  void find_no_progress(std::chrono::steady_clock::time_point now, const char* what);
  void note_work();
  void note_not_idle();
  [[noreturn]] void no_progress(const char* what);

  const std::uint64_t number_;
  const unsigned threads_;
  bool scheduled_ = false;    // has a thread been suspended? Until then the plain loop runs them
  const PackedIndex* order_;  // the threads' indices in the order in which they are started
  unsigned next_ = 0;         // the position in it of the next one to start
  unsigned live_ = 0;         // threads that have not ended
  unsigned fibers_made_ = 1;

  FiberList waiting_;            // at the barrier
  unsigned waiting_count_ = 0;   // how many
  bool waits_for_grid_ = false;  // do they wait for the whole grid?
  int counted_ = 0;              // of those who came
  int result_ = 0;               // of the barrier that opened last
  bool meet_elsewhere_ = false;  // do they wait at different places?
  bool passed_by_all_ = false;  // the barrier that opened last: did all threads come, to one place?

  // For the watchdog (waiting.cpp): did anything happen since the last look?
  std::uint64_t progress_ = 1, progress_seen_ = 0;
  std::uint64_t quiet_turns_ = 0;  // since then
  std::chrono::steady_clock::time_point quiet_since_, asked_for_more_;
  bool only_waits_ = false;                      // does this block only wait?
  std::uint64_t round_ = 0, idle_in_round_ = 0;  // that it looks in; has been counted in
  std::chrono::steady_clock::time_point round_since_;
  bool circled_ = false;  // are all threads back in their states since the round began?
  unsigned spins_ = 0;
  unsigned all_spins_ = 0;
  bool watched_ = false;  // is it looked whether threads come back to the same state?
  unsigned watch_ = 1;    // the number of times that this has begun
  std::chrono::steady_clock::time_point looked_;
  std::uint64_t shared_memory_ = 0;  // a hash when the block began to wait
  std::uint64_t memory_ = 0;         // of all memory, when all blocks only waited; 0: they do not

  // Used from the first suspended thread on.
  FiberList ready_;          // can go on
  FiberList idle_;           // have nothing to do
  FiberList converging_;     // wait in __activemask
  unsigned steps_ = 0;       // how often a lane began to wait there or was let go
  unsigned operations_ = 0;  // of warps, since all others had their turn
  std::array<Warp, threads_per_block / 32> warps_;  // set up by begin_scheduling()
};

// An OS thread that runs blocks. Lives as long as the thread.
struct Worker {
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  SignalStack signal_stack;
  // `native` stands for the OS thread's own stack. fibers[0], the main fiber, runs the loop over
  // the threads of each block; the others are taken when threads have to wait.
  Fiber native;
  std::unique_ptr<Fiber[]> fibers = std::make_unique<Fiber[]>(threads_per_block + 1);
  Fiber* current = nullptr;
  Fiber& main() { return fibers[0]; }

  ThreadOrders orders;
  std::vector<std::span<char>> shared;  // the kernel's shared memory: this OS thread's copy
  BlockRange blocks;                    // taken, not begun
  std::optional<Block> block;           // the one that runs now, made new for each block

  // For endless.cpp, which looks on from another OS thread.
  const pthread_t os_thread = pthread_self();
  std::atomic<std::uint64_t> state = 0;                // found at the latest look; 0: none
  std::chrono::nanoseconds asked_at{}, answered_at{};  // there, by the thread's processor time
  bool answers = false;
  std::atomic<unsigned> looks = 0, waits = 0;
  std::atomic<bool> ends_loop = false;  // the loop that it is in never ends
  const void* loop = nullptr;           // the first instruction found in that loop
  struct Found {
    const char* kernel = "";
    Location launched_at;
    const void* instruction = nullptr;
    uint3 block = {}, thread = {};
  } found = {};  // with `state`, as long as nothing else is asked

  // Do the threads of a block run once more, to find the one that faulted
  // (device_fault)? Then: what happened.
  enum class Repeat { no, yes, in_vain } repeat = Repeat::no;
  cudaError_t fault = cudaSuccess;
  // of the present block, whose lanes report that an assertion failed
  std::optional<unsigned> asserting_warp;
  // A copy: the repetition may write over the stack.
  static constexpr std::size_t sentence_bytes = 1500;
  std::unique_ptr<char[]> sentence = std::make_unique<char[]>(sentence_bytes);
};
// The calling OS thread's; nullptr: it runs no blocks.
extern thread_local constinit Worker* worker;

// ---- endless.cpp ----
// An OS thread runs blocks from now on; it does no longer.
void add_worker(Worker& one);
void remove_worker(Worker& one);

// ---- waiting.cpp ----
// FNV-1a, 64 bits, by words: goes on from a hash, first from that of none.
constexpr std::uint64_t no_words = 0xcbf29ce484222325ull;
std::uint64_t hash_of(std::uint64_t hash, const void* begin, std::size_t bytes);
std::uint64_t hash_of_shared_memory(const Worker& one);
std::uint64_t hash_of_memory(const Worker& one);  // shared memory and the device's

// ---- which thread runs next ----
// Here, because every barrier and every warp operation comes through it and
// calls cost as much as all the rest.

// To another fiber than the present one.
[[gnu::always_inline]] inline void Block::switch_to(Fiber& fiber) {
  Fiber& from = *worker->current;
  worker->current = &fiber;
  Fiber::switch_to(from, fiber);
  if (explain::on) explain::run_thread(from.thread);
}

// The present fiber cannot go on: gives the OS thread to another one. Returns
// when another fiber wakes this one.
[[gnu::always_inline]] inline void Block::schedule() {
  if (ready_.empty()) return schedule_start();
  switch_to(*ready_.take());
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
  Fiber& self = *worker->current;
  self.call = &call;
  self.at = at;
  if (explain::on) explain::comes_to(call, at);
#if defined(__SANITIZE_ADDRESS__)
  // AddressSanitizer's frames have room in which earlier calls have left something: none below this
  // one reports the thread's state (Block::watch), which is saved here.
  __builtin_unwind_init();
  self.frame = static_cast<const char*>(__builtin_frame_address(0)) - saved_below_frame;
#endif
  return self;
}

}  // namespace emulated
