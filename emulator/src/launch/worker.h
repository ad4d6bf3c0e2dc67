// An OS thread that runs blocks, and the launch that all of them work on.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "device/limits.h"
#include "emulated/declarations.h"
#include "emulated/scheduler.h"
#include "platform/fiber.h"
#include "warps/block.h"
#include "warps/thread_order.h"

namespace emulated {

// Positions [next, last) in the order of execution of the blocks.
struct BlockRange {
  std::uint64_t next = 0, last = 0;
};

// A barrier of OS threads for the blocks of a cooperative launch.
struct GridBarrier {
  std::mutex mutex;
  std::condition_variable opened;
  std::uint64_t waiting = 0, ended = 0, generation = 0;
};

// A launch that is going on.
struct Running {
  explicit Running(const Launch& launch_)
      : launch(launch_), blocks(1ull * launch_.grid.x * launch_.grid.y * launch_.grid.z) {}
  const Launch& launch;
  const std::uint64_t blocks;
  std::vector<SharedNote> shared;  // static shared memory of the kernel
  std::uint64_t resident = 0;      // how many of them fit on the device at the same time
  unsigned workers = 1;            // OS threads that have taken part
  std::uint64_t chunk = 1;         // how many blocks an OS thread takes at once
  std::atomic<std::uint64_t> next_block = 0;
  // Blocks that an OS thread had taken and gave back, because its present block waits (waiting.cpp).
  std::mutex mutex;
  std::vector<BlockRange> given_back;
  std::atomic<bool> any_given_back = false;

  std::atomic<bool> failed = false;
  cudaError_t error = cudaSuccess;  // set by the first who fails
  std::atomic<unsigned> active = 0,
                        asleep = 0;  // OS threads at work; those of them that sleep in grid.sync()
  // How many OS threads found in the present tick of the clock that their block only waits (waiting.cpp).
  std::atomic<std::uint64_t> idle_tick = 0;
  std::atomic<bool> waiting_noted = false;  // said that all only wait
  GridBarrier grid_barrier;
};

// One OS thread that runs blocks. Lives as long as the thread; `launch` is made new for each launch.
struct Worker {
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // `native` stands for the OS thread's own stack. fibers[0], the main fiber, runs the loop over the threads
  // of each block; the others are taken when threads have to wait.
  Fiber native;
  std::unique_ptr<Fiber[]> fibers = std::make_unique<Fiber[]>(threads_per_block + 1);
  Fiber* current = nullptr;
  Fiber& main() { return fibers[0]; }

  ThreadOrders orders;
  std::optional<Block> block;           // the one that runs now, made new for each block
  BlockRange blocks;                    // taken, not begun
  std::vector<std::span<char>> shared;  // the kernel's shared memory: this OS thread's copy
  bool had_block = false;               // in a cooperative launch each OS thread runs one block
  unsigned index = 0;                   // of the OS thread in the launch
  // Do the threads of a block run once more, to find the one that faulted?
  enum class Repeat { no, yes, in_vain } repeat = Repeat::no;
  cudaError_t fault = cudaSuccess;  // then: what happened
  const char* fault_sentence = nullptr;

 private:
  std::unique_ptr<char[]> signal_stack_;  // for handlers: the thread's own stack may be the problem
};

// The launch that is going on, the state of this OS thread, and whether it is inside a kernel.
extern Running* running;
extern thread_local constinit Worker* worker;
extern thread_local constinit bool inside_kernel;

// What the main fiber does: runs this OS thread's blocks, then goes back to the OS thread's own stack.
[[noreturn]] void main_fiber_entry();
// What the other fibers do: run threads of the present block that nobody has started yet.
[[noreturn]] void fiber_entry();

// Gives the blocks that this OS thread has taken but not begun back to all.
void give_back_blocks(Worker& worker);
// If there are blocks that have not begun, lets one more OS thread take part in the present launch, as long
// as no more blocks run than fit on the device at the same time.
void begin_more_blocks();
// What each of the launch's OS threads does; the calling one is number `index` of them.
void work(unsigned index);

// Ends the launch with an error, which is remembered, unless somebody else has done so before: then returns
// false. The other OS threads stop at their next chance.
bool first_to_fail(cudaError_t error);
// Leaves the present block at once. The fibers' frames are simply left behind.
[[noreturn]] void leave_block();
// Once in a process, installs what turns a wrong address in a kernel into cudaErrorIllegalAddress, and abort()
// and exceptions into cudaErrorLaunchFailure.
void catch_signals();
// Ends the kernel because of a call that returns to `instruction`; prints the sentence and the call's line.
[[noreturn]] void fault_in_caller(const void* instruction, const char* sentence);
// The threads that run once more to find the one that faulted do not come to the fault: ends the kernel.
[[noreturn]] void end_repeating();
// After a launch: if its kernel divided an integer by zero, says where, once for each place.

}  // namespace emulated
