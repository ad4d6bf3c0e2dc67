// The OS threads that run blocks.
#pragma once

#include <atomic>
#include <cstdint>
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

 private:
  // Begins one more OS thread, which takes part in the present run or only in the next ones.
  bool begin_thread(bool in_present_run);
  void serve(unsigned index, std::uint64_t seen);
  void take_part();

  std::mutex mutex_;
  std::vector<std::thread> threads_;
  void (*work_)() = nullptr;
  // Bumped for every run; its low bits say how many threads take part, so that one read gets both.
  std::atomic<std::uint64_t> turn_ = 0;
  std::atomic<unsigned> busy_ = 0;
  static constexpr unsigned count_bits = 16;
};

}  // namespace emulated
