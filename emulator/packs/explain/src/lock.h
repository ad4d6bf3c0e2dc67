// What several OS threads share in the pack.
#pragma once

#include <atomic>
#include <csignal>
#include <mutex>

namespace emulated::explain {

/// The signal that wants to end the program; 0: none. Kernels notice it and call end_now().
extern volatile std::sig_atomic_t asked_to_end;

/// Everything below is called while one of these is alive: a thread of its own may make the report
/// of a program that is asked to end. Otherwise one thread runs at a time, also where the blocks of
/// a grid have several (Pool::pass_turn), and to lock a mutex would cost as much as all the rest.
class Lock {
 public:
  Lock() : needed_(asked_to_end != 0) {
    if (needed_)
      mutex_.lock();
    else
      add(1);
  }
  ~Lock() {
    if (needed_)
      mutex_.unlock();
    else
      add(-1);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  /// Was one made, before the program was asked to end, that is still alive?
  static bool is_held_without_mutex() { return without_mutex_ > 0; }

 private:
  // Nearly always called by one thread.
  static void add(int n) {
    without_mutex_.store(without_mutex_.load(std::memory_order_relaxed) + n,
                         std::memory_order_relaxed);
  }

  static std::recursive_mutex mutex_;
  static std::atomic<int> without_mutex_;
  bool needed_;
};

}  // namespace emulated::explain
