// The threads of a block: how they are started, how the block ends.
#include "block.h"

#include <algorithm>
#include <cstring>

#include "diagnosis/diagnosis.h"
#include "launch/settings.h"
#include "schedule.h"
#include "shuffle.h"

namespace emulated {

thread_local constinit char dynamic_shared_bytes[shared_bytes_per_block_optin]
    __attribute__((aligned(1024))) = {};

thread_local constinit const Warp* warps = nullptr;

Block::Block(std::uint64_t number, unsigned threads) : number_(number), threads_(threads) {
  warps = warps_.data();
  order_ = worker->orders.numbers(number);
  indices_ = worker->orders.indices(number);
}

Fiber& Block::fresh_fiber() {
  if (!idle_.empty()) return *idle_.take_last();
  Fiber& fiber = worker->fibers[fibers_made_];
  fiber.prepare(&fiber_entry, fibers_made_++);
  return fiber;
}

[[gnu::noinline]] void Block::schedule_start() {
  for (;;) {
    if (!ready_.empty()) {
      Fiber& fiber = ready_.take();  // may be the present one: a thread that waited in __activemask alone
      return &fiber == worker->current ? void() : switch_to(fiber);
    }
    if (!all_started()) return switch_to(fresh_fiber());
    if (live_ == 0 && phase_ == Phase::draining) return switch_to(worker->main());
    if (!release_converging()) deadlock(*this, [] { return std::string("deadlock, no thread can go on"); });
  }
}

void Block::begin_scheduling(unsigned thread) {
  phase_ = Phase::scheduled;
  const auto position = static_cast<unsigned>(std::find(order_, order_ + threads_, thread) - order_);
  next_ = position + 1;
  live_ = threads_ - position;
  for (unsigned warp = 0; warp * 32 < threads_; ++warp) {
    warps_[warp].exist = threads_ - warp * 32 < 32 ? (1u << threads_ % 32) - 1 : all_lanes;
    warps_[warp].arrived = warps_[warp].ended = 0;
  }
  begin_thread(thread);
  for (unsigned p = 0; p < position; ++p) {
    warps_[order_[p] / 32].ended |= 1u << order_[p] % 32;
  }
}

// The present fiber runs this thread.
void Block::begin_thread(unsigned thread) {
  Fiber& fiber = *worker->current;
  fiber.thread = thread;
  fiber.lane = thread % 32;
  fiber.warp = &warps_[thread / 32];
  fiber.warp->fiber[fiber.lane] = &fiber;
  fiber.watch = 0;
}

void Block::run_next_thread() {
  const unsigned position = next_++;
  begin_thread(order_[position]);
  running->launch.run_threads(running->launch, indices_ + position, 1);
  thread_ended(order_[position]);
}

void Block::thread_ended(unsigned thread) {
  --live_;
  note_progress();
  Warp& warp = warps_[thread / 32];
  warp.ended |= 1u << thread % 32;
  if (warp.arrived != 0) [[unlikely]]
    complete_without_ended(warp);
  if (!waiting_.empty() && waiting_.size() == live_) [[unlikely]]
    open_barrier();
}

// Runs threads until this fiber has to make room for those that can go on.
void Block::run_fiber() {
  for (;;) {
    // Whoever switches to a fiber without a thread does so because there are threads to start.
    do run_next_thread();
    while (ready_.empty() && !all_started());
    idle_.add(worker->current);
    schedule();
  }
}

void Block::finish() {
  thread_ended(worker->main().thread);
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
  worker->block.emplace(block, size.x * size.y * size.z);
  // What a GPU finds there is what another block left: nobody may count on it. All bits set are NaN or -1.
  for (const std::span<char> bytes : worker->shared) std::memset(bytes.data(), 0xff, bytes.size());
}

const PackedIndex* thread_order() { return worker->block->thread_order(); }

void begin_suspending(unsigned thread) {
  if (inside_kernel && worker->repeat == Worker::Repeat::yes) end_repeating();
  if (inside_kernel) worker->block->begin_scheduling(thread);  // host code may wait in the same classes
}

void finish_suspended_block() { worker->block->finish(); }

}  // namespace emulated
