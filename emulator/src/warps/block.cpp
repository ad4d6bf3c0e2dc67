// The threads of a block: how they are started, how the block ends.
#include "block.h"

#include <algorithm>

#include "diagnosis/diagnosis.h"
#include "shuffle.h"

namespace emulated {

thread_local constinit char dynamic_shared_bytes[shared_bytes_per_block_optin]
    __attribute__((aligned(1024))) = {};

thread_local constinit const Warp* warps = nullptr;

Block::Block(std::uint64_t number, unsigned threads) : number_(number), threads_(threads) {
  warps = warps_.data();
  order_ = os_thread->orders.numbers(number);
  indices_ = os_thread->orders.indices(number);
}

Fiber& Block::fresh_fiber() {
  if (!idle_.empty()) return *idle_.take_last();
  Fiber& fiber = os_thread->fibers[fibers_made_];
  fiber.prepare(&fiber_entry, fibers_made_++);
  return fiber;
}

[[gnu::noinline]] void Block::schedule_start() {
  for (;;) {
    if (!ready_.empty()) {
      Fiber& fiber = ready_.take();  // may be the present one: a thread that waited in __activemask alone
      return &fiber == os_thread->current ? void() : switch_to(fiber);
    }
    if (!all_started()) return switch_to(fresh_fiber());
    if (live_ == 0 && phase_ == Phase::draining) return switch_to(os_thread->main());
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
  Fiber& fiber = *os_thread->current;
  fiber.thread = thread;
  fiber.lane = thread % 32;
  fiber.warp = &warps_[thread / 32];
  fiber.warp->fiber[fiber.lane] = &fiber;
  fiber.watch = fiber.waits = 0;
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
    // A switch to a fiber without a thread means that there are threads to start.
    do run_next_thread();
    while (ready_.empty() && !all_started());
    idle_.add(os_thread->current);
    schedule();
  }
}

void Block::finish() {
  thread_ended(os_thread->main().thread);
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

}  // namespace emulated
