#include "parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

void parallel_for(int count, const std::function<void(int)>& work) {
  std::atomic<int> next{0};
  const auto take_in_turn = [&] {
    for (int i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> threads;
  const int others = static_cast<int>(std::thread::hardware_concurrency()) - 1;
  for (int i = 0; i < std::min(others, count - 1); ++i) threads.emplace_back(take_in_turn);
  take_in_turn();
}
