// The OS threads that run blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace emulated {

// Its threads live as long as the process: static destructors may still launch kernels.
class Pool {
 public:
  // Makes sure that run(count, ...) has its OS threads. Returns how many
  // it can have, perhaps fewer.
  unsigned prepare(unsigned count);
  // Calls work() on this thread and count - 1 others; returns when all have returned.
  void run(unsigned count, void (*work)());
  // During a run: calls it on one more OS thread. False: none can be had.
  bool add();
  // In a program that explains, the OS threads of a run take turns, in an order that depends on
  // nothing but the kernel: the present one lets the others go on, and returns at its next turn.
  void pass_turn();

 private:
  // Begins one more OS thread, which takes part in the present run or only in the next ones.
  bool begin_thread(bool in_present_run);
  // Their turns: 1 for the one that has it.
  using Turn = std::atomic<unsigned>;
  void serve(unsigned index, std::uint64_t seen, Turn& own);
  void take_part(Turn& own);
  void end_turn();

  std::mutex mutex_;
  std::vector<std::thread> threads_;
  void (*work_)() = nullptr;
  // Bumped for every run; its low bits say how many threads take part, so that one read gets both.
  std::atomic<std::uint64_t> turn_ = 0;
  std::atomic<unsigned> busy_ = 0;
  static constexpr unsigned count_bits = 16;

  // Used by the one whose turn it is.
  std::deque<Turn> turns_ = std::deque<Turn>(1);
  std::deque<unsigned> next_;  // who goes on after it
  unsigned present_ = 0;
};

}  // namespace emulated
