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
  if (threads_in_order()) return;
  worker_.orders.prepare(running->launch.block);
  order_ = worker_.orders.numbers(number);
}

unsigned Block::thread_at(unsigned position) const { return order_ == nullptr ? position : order_[position]; }

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
  const unsigned position =
      order_ == nullptr ? thread
                        : static_cast<unsigned>(std::find(order_, order_ + threads_, thread) - order_);
  next_ = position + 1;
  live_ = threads_ - position;
  for (unsigned p = 0; p < position; ++p) {
    const unsigned ended = thread_at(p);
    warps_[ended / 32].ended |= 1u << ended % 32;
  }
}

void Block::run_next_thread() {
  const unsigned thread = thread_at(next_++);
  worker_.current->thread = thread;
  worker_.current->watch = 0;
  const dim3 size = running->launch.block;
  running->launch.run_thread(running->launch,
                             pack_index(thread % size.x, thread / size.x % size.y, thread / size.x / size.y));
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
bool threads_in_order() {
  return settings().order == Order::in_order && running->launch.grid.x <= block_x_limit;
}

void begin_block(std::uint64_t block) {
  const dim3 size = running->launch.block;
  worker->block.emplace(*worker, block, size.x * size.y * size.z);
  // What a GPU finds there is what another block left: nobody may count on it. All bits set are NaN or -1.
  for (const std::span<char> bytes : worker->shared) std::memset(bytes.data(), 0xff, bytes.size());
}

const PackedIndex* thread_order() { return worker->orders.indices(worker->block->number()); }

void finish_suspended_block() { worker->block->finish(); }

}  // namespace emulated
