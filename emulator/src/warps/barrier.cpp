// Barriers: of a block, and of all blocks of a cooperative launch.
#include <cstring>

#include "block.h"
#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"
#include "launch/settings.h"
#include "launch/worker.h"
#include "shuffle.h"

namespace emulated {

namespace {

constexpr Call grid_sync{"grid.sync"};

// The same object behind both: mostly so for one and the same place.
bool same_object(Location a, Location b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Waits for the other blocks of a cooperative launch; the whole block waits here, so the OS thread may sleep.
void wait_for_grid(const Block& block) {
  GridBarrier& barrier = running->grid_barrier;
  std::unique_lock lock(barrier.mutex);
  if (++barrier.waiting == running->blocks) {
    barrier.waiting = 0;
    ++barrier.generation;
    lock.unlock();
    barrier.opened.notify_all();
    return;
  }
  if (barrier.waiting + barrier.ended == running->blocks) {
    const std::uint64_t ended = barrier.ended;
    lock.unlock();
    deadlock(block, [=] {
      return "deadlock, " + std::to_string(ended) + " blocks ended without coming to grid.sync()";
    });
  }
  ++running->asleep;
  const std::uint64_t generation = barrier.generation;
  barrier.opened.wait(lock, [&] { return barrier.generation != generation || running->failed; });
  --running->asleep;
  if (barrier.generation == generation) {
    lock.unlock();
    leave_block();
  }
}

}  // namespace

// All have come: they go on. In shuffled order they do so in an order of their own.
void Block::open_barrier() {
  if (live_ < threads_) [[unlikely]]
    warn_ended_threads();
  explain::block_barrier();
  if (waits_for_grid_) [[unlikely]] {
    wait_for_grid(*this);
    explain::grid_barrier();
  }
  result_ = reduced_;
  ++barriers_passed_;
  passed_by_all_ = live_ == threads_ && !meet_elsewhere_;
  meet_elsewhere_ = false;
  note_progress();
  if (settings().order == Order::shuffled) {
    const std::uint64_t seed = settings().seed + number_ + (std::uint64_t{barriers_passed_} << 40);
    shuffle(waiting_.span(), seed);
  }
  ready_.take_all(waiting_);
}

// Some threads have ended before, the others wait here.
[[gnu::cold, gnu::noinline]] void Block::warn_ended_threads() {
  const Fiber& last = waiting_.empty() ? *os_thread->current : waiting_.front();
  warn_once(text(last.at), kernel_text(*this) + ": " + std::to_string(threads_ - live_) + " of " +
                               std::to_string(threads_) + " threads ended without coming to this " +
                               last.call->name +
                               ". CUDA demands that all come; hardware since Volta and the emulated device "
                               "go on with the others.");
}

// A thread came, it seems, to another barrier than the one where others wait.
[[gnu::cold, gnu::noinline]] void Block::meet_elsewhere(Fiber& self, bool grid) {
  const Fiber& first = waiting_.front();
  if (waits_for_grid_ == grid && first.at.line() == self.at.line() && first.at.column() == self.at.column())
    return wait_at_barrier(self);
  meet_elsewhere_ = true;
  if (waits_for_grid_ != grid)
    misuse(*this, self.at, [&] {
      return std::string("comes to ") + self.call->name + " while others wait at " + first.call->name + " (" +
             text(first.at) + ")";
    });
  warn_once(text(self.at), kernel_text(*this) + ": threads of one block meet at different barriers: thread " +
                               thread_text(self.thread) + " here, thread " + thread_text(first.thread) +
                               " at " + text(first.at) +
                               ". CUDA demands that all threads come to the same one.");
  wait_at_barrier(self);
}

[[gnu::always_inline]] inline void Block::wait_at_barrier(Fiber& self) {
  if (waiting_.size() + 1 == live_) return open_barrier();
  waiting_.add(&self);
  schedule();
}

[[gnu::always_inline]] inline void Block::come_to_barrier(Fiber& self, bool grid) {
  if (waiting_.empty())
    waits_for_grid_ = grid;
  else if (!same_object(waiting_.front().at, self.at)) [[unlikely]]
    return meet_elsewhere(self, grid);
  wait_at_barrier(self);
}

[[gnu::noinline]] void Block::look_and_come_to_barrier(Fiber& self, bool grid) {
  look(self);
  come_to_barrier(self, grid);
}

// Nothing follows the change of stacks here and in warp_operation(): emulated_switch_stack goes straight back
// into the kernel. Rare cases are functions of their own that are called last: then nothing has to be saved before.
[[gnu::always_inline]] inline void Block::barrier(const Call& call, Location at) {
  Fiber& self = arrive(call, at);
  if (look_is_due(self)) [[unlikely]]
    return look_and_come_to_barrier(self, false);
  come_to_barrier(self, false);
}

int Block::barrier(int value, Reduction reduction, const Call& call, Location at) {
  Fiber& self = arrive(call, at);
  if (reduction != Reduction::none) {
    if (waiting_.empty())
      reduced_ = value;
    else if (reduction == Reduction::all)
      reduced_ &= value;
    else if (reduction == Reduction::any)
      reduced_ |= value;
    else
      reduced_ += value;
  }
  if (look_is_due(self)) look(self);
  come_to_barrier(self, false);
  return result_;
}

void Block::grid_barrier(Location at) {
  Fiber& self = arrive(grid_sync, at);
  if (!running->launch.cooperative)
    misuse(*this, at, [] {
      return std::string("grid.sync() needs a cooperative launch (cudaLaunchCooperativeKernel)");
    });
  if (look_is_due(self)) look(self);
  come_to_barrier(self, true);
}

void block_barrier(const Call& call, Location at) { worker()->block->barrier(call, at); }

int block_barrier(int value, Reduction reduction, const Call& call, Location at) {
  return worker()->block->barrier(value, reduction, call, at);
}

void grid_barrier(Location at) { worker()->block->grid_barrier(at); }

bool all_passed_barrier() { return worker()->block->all_passed_barrier(); }

void end_block() {
  explain::end_block();
  if (!running->launch.cooperative) return;
  GridBarrier& barrier = running->grid_barrier;
  std::unique_lock lock(barrier.mutex);
  ++barrier.ended;
  const std::uint64_t waiting = barrier.waiting;
  if (waiting > 0 && waiting + barrier.ended == running->blocks) {
    lock.unlock();
    deadlock(*worker()->block, [=] {
      return "deadlock, this and other blocks ended without coming to grid.sync(), where " +
             std::to_string(waiting) + " blocks wait";
    });
  }
}

}  // namespace emulated
