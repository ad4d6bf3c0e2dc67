// The stacks of an OS thread that runs blocks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "device/limits.h"
#include "platform/fiber.h"
#include "thread_order.h"

namespace emulated {

struct OsThread {
  // `native` stands for the OS thread's own stack. fibers[0], the main fiber, runs the loop over the threads
  // of each block; the others are taken when threads have to wait.
  Fiber native;
  std::unique_ptr<Fiber[]> fibers = std::make_unique<Fiber[]>(threads_per_block + 1);
  Fiber* current = nullptr;
  Fiber& main() { return fibers[0]; }

  ThreadOrders orders;
  std::vector<std::span<char>> shared;  // the kernel's shared memory: this OS thread's copy

  // Do the threads of a block run once more, to find the one that faulted (device_fault)? Then: what happened.
  enum class Repeat { no, yes, in_vain } repeat = Repeat::no;
  cudaError_t fault = cudaSuccess;
  const char* sentence = nullptr;
};
// The calling one; nullptr: it runs no blocks.
extern thread_local constinit OsThread* os_thread;

// Leaves the present block at once. The fibers' frames are simply left behind.
[[noreturn]] void leave_block();

}  // namespace emulated
