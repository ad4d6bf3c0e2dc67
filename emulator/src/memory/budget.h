// How much time what only helps to find mistakes may take.
#pragma once

#include <algorithm>
#include <chrono>

namespace emulated {

/// A fraction of the program's time, and a little at any rate, so that
/// short programs have all of it.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;
  /// One part-th of the time, and so much always.
  Budget(int part, std::chrono::nanoseconds always) : part_(part), always_(always) {}

  /// To be asked each time. Where the answer was no, the next answers are, too: asking the clock
  /// would itself take too long.
  bool allows() {
    constexpr unsigned most = 63;
    if (passed_ < pass_) {
      ++passed_;
      return false;
    }
    passed_ = 0;
    const bool within = spent_ <= always_ + (Clock::now() - start_) / part_;
    pass_ = within ? pass_ / 2 : std::min(2 * pass_ + 1, most);
    return within;
  }
  void spend(std::chrono::nanoseconds time) { spent_ += time; }

 private:
  int part_;
  std::chrono::nanoseconds always_;
  Clock::time_point start_ = Clock::now();
  std::chrono::nanoseconds spent_ = {};
  unsigned pass_ = 0,
           passed_ = 0;  // how many answers are given without the clock, and how many were
};

}  // namespace emulated
