// An OS thread that runs blocks of a launch.
#pragma once

#include <cstdint>
#include <optional>

#include "platform/platform.h"
#include "running.h"
#include "warps/block.h"
#include "warps/os_thread.h"

namespace emulated {

// One OS thread that runs blocks. Lives as long as the thread; `launch` is made new for each launch.
struct Worker : OsThread {
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  std::optional<Block> block;  // the one that runs now, made new for each block
  BlockRange blocks;           // taken, not begun

 private:
  SignalStack signal_stack_;
};

// The calling OS thread's; nullptr: it runs no blocks.
inline Worker* worker() { return static_cast<Worker*>(os_thread); }

// What the main fiber does: runs this OS thread's blocks, then goes back to the OS thread's own stack.
[[noreturn]] void main_fiber_entry();

// Gives the blocks that this OS thread has taken but not begun back to all.
void give_back_blocks(Worker& worker);
// If there are blocks that have not begun, lets one more OS thread take part in the present launch, as long
// as no more blocks run than fit on the device at the same time.
void begin_more_blocks();
// What each of the launch's OS threads does; the calling one is number `index` of them.
void work(unsigned index);

}  // namespace emulated
