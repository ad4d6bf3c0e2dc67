// The OS threads that run blocks.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace emulated {

class Pool {
 public:
  ~Pool();
  // Calls work(0) on this thread and work(1) ... work(count - 1) on others; returns when all have returned.
  void run(unsigned count, void (*work)(unsigned index));

 private:
  void serve(unsigned index);

  std::vector<std::thread> threads_;
  void (*work_)(unsigned) = nullptr;
  // Bumped for every run; its low bits say how many threads take part, so that one read tells both.
  std::atomic<std::uint64_t> turn_ = 0;
  std::atomic<unsigned> busy_ = 0;
  static constexpr unsigned count_bits = 16;
  static constexpr std::uint64_t quit = ~std::uint64_t{0};
};

}  // namespace emulated
