// The threads of a block: how they are started, how the block ends.
#include "block.h"

#include <algorithm>
#include <cstring>

#include "diagnosis.h"
#include "schedule.h"
#include "settings.h"
#include "shuffle.h"

namespace emulated {

thread_local constinit char dynamic_shared_bytes[shared_bytes_per_block_optin]
    __attribute__((aligned(1024))) = {};

thread_local constinit const WarpExchange* warp_exchanges = nullptr;

Block::Block(Worker& worker_of_block, std::uint64_t number, unsigned threads)
    : worker_(worker_of_block), number_(number), threads_(threads) {
  warp_exchanges = exchanges_.data();
  const Settings& s = settings();
  if (s.order != Order::shuffled) return;
  // In shuffled order every block has an order of its own.
  for (unsigned i = 0; i < threads; ++i) order_[i] = static_cast<std::uint16_t>(i);
  shuffle(std::span<std::uint16_t>(order_).first(threads), s.seed + number + 1);
}

unsigned Block::thread_at(unsigned position) const {
  switch (settings().order) {
    case Order::in_order:
      return position;
    case Order::reversed:
      return threads_ - 1 - position;
    default:
      return order_[position];
  }
}

Fiber& Block::fresh_fiber() {
  if (!idle_.empty()) return *idle_.take_last();
  Fiber& fiber = worker_.fibers[fibers_made_];
  fiber.prepare(&fiber_entry, fibers_made_++);
  return fiber;
}

[[gnu::noinline]] void Block::schedule_start() {
  for (;;) {
    if (!ready_.empty()) return switch_to(ready_.take());
    if (!all_started()) return switch_to(fresh_fiber());
    if (live_ == 0 && phase_ == Phase::draining) return switch_to(worker_.main());
    if (!release_converging()) deadlock(*this, [] { return std::string("deadlock, no thread can go on"); });
  }
}

// The first thread of a block that has to wait runs in the loop of the main fiber. From now on the block is
// run here.
[[gnu::noinline]] void Block::begin_scheduling(unsigned thread) {
  phase_ = Phase::scheduled;
  worker_.main().thread = thread;
  worker_.main().watch = 0;
  const unsigned position = threads_in_order() ? thread : position_;
  next_ = position + 1;
  live_ = threads_ - position;
  for (unsigned p = 0; p < position; ++p) {
    const unsigned ended = thread_at(p);
    warps_[ended / 32].ended |= 1u << ended % 32;
  }
}

bool Block::run_threads_reordered() {
  for (; position_ < threads_; ++position_) {
    running->launch.run_thread(running->launch, thread_at(position_));
    if (phase_ != Phase::loop) return false;
  }
  return true;
}

void Block::run_next_thread() {
  const unsigned thread = thread_at(next_++);
  worker_.current->thread = thread;
  worker_.current->watch = 0;
  running->launch.run_thread(running->launch, thread);
  thread_ended(thread);
}

void Block::thread_ended(unsigned thread) {
  --live_;
  note_progress();
  Warp& warp = warps_[thread / 32];
  warp.ended |= 1u << thread % 32;
  if (warp.arrived != 0) [[unlikely]]
    complete_without_ended(thread / 32);
  if (!waiting_.empty() && waiting_.size() == live_) [[unlikely]]
    open_barrier();
}

// Runs threads until this fiber has to make room for those that can go on.
void Block::run_fiber() {
  for (;;) {
    // Whoever switches to a fiber without a thread does so because there are threads to start.
    do run_next_thread();
    while (ready_.empty() && !all_started());
    idle_.add(worker_.current);
    schedule();
  }
}

void Block::finish() {
  thread_ended(worker_.main().thread);
  while (live_ > 0) {
    if (ready_.empty() && !all_started()) {
      run_next_thread();
    } else {
      phase_ = Phase::draining;
      schedule();
      phase_ = Phase::scheduled;
    }
  }
}

// ---- called from the loop over blocks (launch.h) ----
bool threads_in_order() { return settings().order == Order::in_order; }

void begin_block(std::uint64_t block) {
  const dim3 size = running->launch.block;
  worker->block.emplace(*worker, block, size.x * size.y * size.z);
  // What a GPU finds there is what another block left: nobody may count on it. All bits set are NaN or -1.
  for (const std::span<char> bytes : worker->shared) std::memset(bytes.data(), 0xff, bytes.size());
}

bool run_threads_reordered() { return worker->block->run_threads_reordered(); }

void finish_suspended_block() { worker->block->finish(); }

}  // namespace emulated
