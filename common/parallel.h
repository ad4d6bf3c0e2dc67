#pragma once
#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

/// Calls work(i) for each i from 0 to count - 1, on all of the processor's threads, which take the numbers in
/// turn. For CPU references of pictures: rows do not depend on one another, so the result does not depend on
/// the threads. `work` must not throw.
template <class Work>
void parallel_for(int count, const Work& work) {
  std::atomic<int> next{0};
  const auto take_in_turn = [&] {
    for (int i = next++; i < count; i = next++) work(i);
  };
  const int helpers = static_cast<int>(std::max(1u, std::thread::hardware_concurrency())) - 1;
  std::vector<std::jthread> threads;
  try {
    for (int i = 0; i < std::min(helpers, count - 1); ++i) threads.emplace_back(take_in_turn);
  } catch (const std::system_error&) {
    // No more threads to be had: those that there are do all of it.
  }
  take_in_turn();
}
