// The launch that is going on.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "emulated/declarations.h"
#include "emulated/scheduler.h"

namespace emulated {

// Positions [next, last) in the order of execution of the blocks.
struct BlockRange {
  std::uint64_t next = 0, last = 0;
};

// A barrier of OS threads for the blocks of a cooperative launch.
struct GridBarrier {
  std::atomic<unsigned> waiting = 0, ended = 0,
                        generation = 0;  // the last counts how often it opened
  void open() {
    ++generation;
    generation.notify_all();
  }
};

// The first argument that is a null pointer, from 1, in the launch that this host thread prepares;
// 0: there is none.
extern thread_local constinit unsigned null_argument;

// A launch that is going on.
struct Running {
  explicit Running(const Launch& launch_)
      : launch(launch_), blocks(1ull * launch_.grid.x * launch_.grid.y * launch_.grid.z) {}
  const Launch& launch;
  const std::uint64_t blocks;
  const unsigned null_argument = std::exchange(emulated::null_argument, 0);
  std::vector<SharedNote> shared;  // static shared memory of the kernel
  std::uint64_t chunk = 1;         // how many blocks an OS thread takes at once
  std::atomic<std::uint64_t> next_block = 0;
  std::mutex mutex;  // guards the next four
  // Blocks that an OS thread had taken and gave back, because its present
  // block waits (waiting.cpp).
  std::vector<BlockRange> given_back;
  // In this round so many OS threads have found that their block only waits (waiting.cpp); the
  // first of these blocks.
  std::uint64_t idle_round = 0;
  std::uint64_t first_idle = 0;
  unsigned idle = 0;
  // A round begins where a block begins to wait or goes on, and before an OS thread has no blocks
  // or sleeps: what it has done until then others may have waited for.
  std::atomic<std::uint64_t> round = 1;

  std::atomic<bool> failed = false;
  cudaError_t error = cudaSuccess;  // set by the first who fails
  std::atomic<unsigned> active = 0,
                        asleep = 0;   // OS threads at work; those of them that sleep in grid.sync()
  std::atomic<bool> printed = false;  // a thread has
  std::chrono::steady_clock::time_point begun;  // set on a terminal
  std::atomic<bool> how_far_told = true;        // or need not be
  std::atomic<bool> host_is_told =
      false;  // by a fence or atomic of the system's scope, while the kernel runs
  GridBarrier grid_barrier;
  std::uint64_t looks = 0;  // of waiting threads; only in a program that explains
};

// nullptr: none. Is this OS thread inside a kernel?
extern Running* running;
extern thread_local constinit bool inside_kernel;

// Ends the launch with an error, which is remembered, unless another OS thread has done so before:
// then returns false. The other OS threads stop at their next chance.
bool first_to_fail(cudaError_t error);
// Leaves the present block at once. The fibers' frames are simply left behind.
[[noreturn]] void leave_block();

// Runs the threads of the present block once more if it is unknown which of them came to this
// fault. Then does not return.
void find_thread(cudaError_t error, const char* sentence);

// What each of the launch's OS threads does.
void work();
// Gives the blocks that this OS thread has taken but not begun back to all.
void give_back_blocks();
// If there are blocks that have not begun, lets one more OS thread take part, as long as no more
// blocks run than fit on the device at the same time. Has one?
bool begin_more_blocks();
// In a program that explains, one OS thread runs at a time: lets those of other blocks go on.
void let_other_blocks_run();

}  // namespace emulated
