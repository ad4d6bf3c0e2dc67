#include "running.h"

namespace emulated {

Running* running = nullptr;
thread_local constinit bool inside_kernel = false;

bool in_kernel() { return inside_kernel; }

bool first_to_fail(cudaError_t error) {
  GridBarrier& barrier = running->grid_barrier;
  {
    const std::lock_guard lock(barrier.mutex);  // so that no OS thread falls asleep there after this
    if (running->failed) return false;
    running->error = error;
    running->failed = true;
  }
  barrier.opened.notify_all();
  return true;
}

}  // namespace emulated
