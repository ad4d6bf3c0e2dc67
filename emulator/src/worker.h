// The state of one OS thread that runs blocks, and of the launch that all of them work on.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "../include/emulated/scheduler.h"
#include "device_limits.h"
#include "fiber.h"

namespace emulated {

// What the lanes of one warp have brought to their present operation.
struct Warp {
  unsigned arrived = 0;  // lanes that wait
  unsigned ended = 0;    // lanes whose thread has ended
  unsigned mask[32];
  const char* name[32];
  WarpOperation operation[32];
  Fiber* fiber[32];
  WarpExchange exchange;
};

// One OS thread's view of the block that it runs.
struct Worker {
  unsigned index = 0;

  // Fibers. `native` stands for the OS thread's own stack, `main` runs the loop over the block's threads.
  Fiber native;
  std::unique_ptr<Fiber[]> fibers = std::make_unique<Fiber[]>(threads_per_block + 1);
  unsigned made = 0;  // how many of them are in use
  Fiber* current = nullptr;
  Fiber* main = nullptr;
  bool main_waits = false;   // for the end of the block
  bool had_block = false;    // in a cooperative launch each OS thread runs one block
  std::vector<Fiber*> idle;  // that have nothing to do
  // Threads that can go on: a ring, first in, first out. No more than one entry for each fiber.
  std::array<Fiber*, 2 * threads_per_block> ready;
  unsigned ready_first = 0, ready_last = 0;

  // The block.
  std::uint64_t block = 0;
  unsigned threads = 0;     // of the block
  unsigned position = 0;    // of the present thread in the order of execution, when that is not by number
  unsigned next = 0;        // position of the next thread to start
  unsigned live = 0;        // threads that have not ended
  bool scheduling = false;  // has a thread been suspended? Until then nothing below is used

  // The barrier.
  std::vector<Fiber*> waiting;
  bool grid_barrier = false;  // do they wait for the whole grid?
  int sum = 0, result = 0;
  unsigned barriers_passed = 0;

  std::array<Warp, threads_per_block / 32> warps;
  std::vector<Fiber*> converging;  // threads in __activemask

  // For the watchdog: did anything happen since the last look?
  std::uint64_t progress = 0, progress_seen = 0;
  std::chrono::steady_clock::time_point progress_time;
  bool stuck = false;
  unsigned spins = 0;
};

// A barrier of OS threads for the blocks of a cooperative launch.
struct GridBarrier {
  std::mutex mutex;
  std::condition_variable opened;
  std::uint64_t waiting = 0, ended = 0, generation = 0;
};

struct Running {
  explicit Running(const Launch& launch_) : launch(launch_) {}
  const Launch& launch;
  std::uint64_t blocks = 0, chunk = 1;
  std::atomic<std::uint64_t> next_block = 0;
  std::atomic<bool> failed = false;
  cudaError_t error = cudaSuccess;              // set by the first who fails
  std::atomic<unsigned> active = 0, stuck = 0;  // OS threads at work; those of them that only wait
  GridBarrier grid_barrier;
};

// The launch that is going on, the state of this OS thread, and whether it is inside a kernel.
extern Running* running;
extern thread_local constinit Worker* worker;
extern thread_local constinit bool inside_kernel;

// Makes the main fiber ready for a launch; runs this OS thread's blocks on it until there are no more.
void prepare_main_fiber(Worker& w);
void enter_main_fiber(Worker& w);

// Prints "FILE:LINE: error: kernel NAME, block, thread: sentence" (the place is that of the launch).
void report(const char* severity, const char* sentence);
// Ends the launch with an error, which is remembered, unless somebody else has done so before: then returns
// false. The other OS threads stop at their next chance.
bool first_to_fail(cudaError_t error);
// Leaves the present block at once.
[[noreturn]] void leave_block();
// Once in a process, installs what turns a wrong address in a kernel into cudaErrorIllegalAddress.
void catch_signals();
// After a launch: if its kernel divided an integer by zero, says where, once for each place.
void report_division_by_zero(const Launch& launch);

}  // namespace emulated
