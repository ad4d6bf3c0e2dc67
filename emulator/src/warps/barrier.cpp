// Barriers: of a block, and of all blocks of a cooperative launch.
#include <vector>

#include "block.h"
#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"
#include "launch/settings.h"

namespace emulated {

namespace {

constexpr Call grid_sync{"grid.sync"};

// Blocks that wait for blocks which have ended: ends the kernel if no
// other is left that could come.
void check_ended_blocks() {
  // In this order: once a block has ended, the barrier does not open again, so
  // that those who wait go on waiting.
  const unsigned ended = running->grid_barrier.ended;
  const unsigned waiting = running->grid_barrier.waiting;
  if (ended == 0 || waiting == 0 || waiting + ended < running->blocks) return;
  deadlock([=] {
    return "deadlock, " + std::to_string(waiting) + " blocks wait at grid.sync(), and the other " +
           std::to_string(ended) + " have ended";
  });
}

// Waits for the other blocks of a cooperative launch; the whole block waits
// here, so the OS thread may sleep. Is it the last one, which opens the barrier?
bool wait_for_grid() {
  GridBarrier& barrier = running->grid_barrier;
  const unsigned generation = barrier.generation;
  if (++barrier.waiting == running->blocks) {
    barrier.waiting = 0;
    barrier.open();
    return true;
  }
  check_ended_blocks();
  ++running->round;
  ++running->asleep;
  while (explain::on && !running->failed && barrier.generation == generation)
    let_other_blocks_run();
  if (!running->failed) barrier.generation.wait(generation);
  --running->asleep;
  if (running->failed) leave_block();
  return false;
}

}  // namespace

// All have come: they go on. In shuffled order they do so in an order of their own.
void Block::open_barrier() {
  if (live_ < threads_) [[unlikely]]
    warn_ended_threads();
  if (explain::on) explain::block_barrier();
#if !defined(__x86_64__)  // whose processors keep this order anyway
  // What one thread has learned from other blocks by an atomic function, all others may rely on.
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
#endif
  if (waits_for_grid_) [[unlikely]] {
    const bool opens = wait_for_grid();
    if (explain::on) explain::grid_barrier(opens);
  }
  result_ = counted_;
  waiting_count_ = 0;
  passed_by_all_ = live_ == threads_ && !meet_elsewhere_;
  meet_elsewhere_ = false;
  note_progress();
  ++orderings;
  if (settings().order == Order::shuffled) {
    std::vector<Fiber*> fibers;
    fibers.reserve(live_);
    while (!waiting_.empty()) fibers.push_back(waiting_.take());
    std::uint64_t random = settings().seed + number_ + (progress_ << 40);
    // Fisher and Yates, with Knuth's MMIX generator: faster here than permute().
    for (std::size_t left = fibers.size(); left > 0; --left) {
      random = random * 6364136223846793005ull + 1442695040888963407ull;
      std::swap(fibers[left - 1], fibers[(random >> 32) * left >> 32]);
      ready_.add(fibers[left - 1]);
    }
  }
  ready_.take_all(waiting_);
}

// Some threads have ended before, the others wait here.
[[gnu::cold, gnu::noinline]] void Block::warn_ended_threads() {
  const Fiber& last = waiting_.empty() ? *worker->current : *waiting_.first();
  warn_once(text(last.at),
            kernel_text() + ": " + std::to_string(threads_ - live_) + " of " +
                std::to_string(threads_) + " threads ended without reaching this " +
                last.call->name +
                ". CUDA requires all threads to reach it; hardware since Volta and the emulated "
                "device continue with the others.");
}

// A thread came, it seems, to another barrier than the one where others wait.
[[gnu::cold, gnu::noinline]] void Block::meet_elsewhere(Fiber& self, bool grid) {
  const Fiber& first = *waiting_.first();
  if (waits_for_grid_ == grid && same_place(first.at, self.at)) return wait_at_barrier(self);
  meet_elsewhere_ = true;
  if (waits_for_grid_ != grid)
    misuse(self.at, [&] {
      return std::string("comes to ") + self.call->name + " while others wait at " +
             first.call->name + " (" + text(first.at) + ")";
    });
  warn_once(text(self.at),
            kernel_text() + ": threads of one block meet at different barriers: thread " +
                thread_text(self.thread) + " here, thread " + thread_text(first.thread) + " at " +
                text(first.at) + ". CUDA requires all threads to reach the same one.");
  wait_at_barrier(self);
}

[[gnu::always_inline]] inline void Block::wait_at_barrier(Fiber& self) {
  if (waiting_count_ + 1 == live_) return open_barrier();
  waiting_.add(&self);
  ++waiting_count_;
  schedule();
}

[[gnu::always_inline]] inline void Block::come_to_barrier(Fiber& self, bool grid) {
  if (waiting_.empty())
    waits_for_grid_ = grid;
  else if (!same_object(waiting_.first()->at, self.at)) [[unlikely]]
    return meet_elsewhere(self, grid);
  wait_at_barrier(self);
}

[[gnu::noinline]] void Block::check_progress_and_come_to_barrier(Fiber& self, bool grid) {
  check_progress(self);
  come_to_barrier(self, grid);
}

// Nothing follows the change of stacks here and in warp_operation(): emulated_switch_stack goes
// straight back into the kernel. Rare cases are functions of their own that are called last: then
// nothing has to be saved before.
[[gnu::always_inline]] inline void Block::barrier(const Call& call, Location at) {
  Fiber& self = arrive(call, at);
  if (progress_check_is_due(self)) [[unlikely]]
    return check_progress_and_come_to_barrier(self, false);
  come_to_barrier(self, false);
}

int Block::counting_barrier(bool counted, const Call& call, Location at) {
  Fiber& self = arrive(call, at);
  if (waiting_.empty()) counted_ = 0;
  if (counted) ++counted_;
  if (progress_check_is_due(self)) check_progress(self);
  come_to_barrier(self, false);
  return result_;
}

void Block::grid_barrier(Location at) {
  Fiber& self = arrive(grid_sync, at);
  if (!running->launch.cooperative)
    misuse(at, [] {
      return std::string("grid.sync() needs a cooperative launch (cudaLaunchCooperativeKernel)");
    });
  if (progress_check_is_due(self)) check_progress(self);
  come_to_barrier(self, true);
}

void block_barrier(const Call& call, Location at) { worker->block->barrier(call, at); }

int counting_barrier(bool counted, const Call& call, Location at) {
  return worker->block->counting_barrier(counted, call, at);
}

void grid_barrier(Location at) { worker->block->grid_barrier(at); }

bool all_passed_barrier() { return worker->block->all_passed_barrier(); }

void end_block() {
  if (explain::on) explain::end_block();
  if (!running->launch.cooperative) return;
  ++running->grid_barrier.ended;
  check_ended_blocks();
}

}  // namespace emulated
