// How much time what only helps to find mistakes may take.
#pragma once

#include <chrono>

namespace emulated {

/// A fraction of the program's time: one `part`-th, and a little at any rate, so that short programs have all of it.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Budget(int part) : part_(part) {}

  bool allows(Clock::time_point now = Clock::now()) const {
    constexpr std::chrono::milliseconds always{1};
    return spent_ <= always + (now - start_) / part_;
  }
  void spend(std::chrono::nanoseconds time) { spent_ += time; }

 private:
  int part_;
  Clock::time_point start_ = Clock::now();
  std::chrono::nanoseconds spent_ = {};
};

}  // namespace emulated
