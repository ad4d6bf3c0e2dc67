// The threads of a block: how they are started, how the block ends.
#include "block.h"

#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"

namespace emulated {

thread_local constinit char dynamic_shared_bytes[dynamic_shared_room]
    __attribute__((aligned(1024))) = {};

// In .tdata, away from the shared memory of kernels, as EMULATED_OWN explains
// (include/emulated/indices.h).
[[gnu::section(".tdata")]] thread_local constinit const Warp* warps = nullptr;
[[gnu::section(".tdata")]] thread_local constinit std::uint64_t orderings = 1;
[[gnu::section(".tdata")]] thread_local constinit Worker* worker = nullptr;

Worker::Worker() {
  worker = this;
  add_worker(*this);
}
Worker::~Worker() {
  remove_worker(*this);
  worker = nullptr;
}

void leave_block() {
  Fiber& from = *worker->current;
  worker->current = &worker->native;
  Fiber::switch_to(from, worker->native);
  __builtin_unreachable();
}

Block::Block(std::uint64_t number, unsigned threads)
    : number_(number), threads_(threads), order_(worker->orders.of(number)) {
  warps = warps_.data();
  ++orderings;
}

unsigned Block::thread_at(unsigned position) const {
  const uint3 index = unpack_index(order_[position]);
  const dim3 size = running->launch.block;
  return index.x + size.x * (index.y + size.y * index.z);
}

Fiber& Block::fresh_fiber() {
  if (!idle_.empty()) return *idle_.take();
  Fiber& fiber = worker->fibers[fibers_made_];
  fiber.prepare(&fiber_entry, fibers_made_++);
  return fiber;
}

[[gnu::noinline]] void Block::schedule_start() {
  for (;;) {
    if (!ready_.empty()) {
      Fiber& fiber =
          *ready_.take();  // may be the present one: a thread that waited in __activemask alone
      return &fiber == worker->current ? void() : switch_to(fiber);
    }
    if (!all_started()) return switch_to(fresh_fiber());
    if (explain::on)
      if (Fiber* const fiber = explain::next_in_turn(!converging_.empty()))
        return fiber == worker->current ? void() : switch_to(*fiber);
    if (live_ == 0) return switch_to(worker->main());
    if (!release_converging(0))
      deadlock([] { return std::string("deadlock, no thread can go on"); });
  }
}

void Block::begin_scheduling(unsigned thread) {
  scheduled_ = true;
  for (unsigned warp = 0; warp * 32 < threads_; ++warp) {
    warps_[warp].exist = threads_ - warp * 32 < 32 ? (1u << threads_ % 32) - 1 : all_lanes;
    warps_[warp].arrived = warps_[warp].ended = 0;
  }
  for (unsigned before; (before = thread_at(next_++)) != thread;)
    warps_[before / 32].ended |= 1u << before % 32;
  live_ = threads_ - next_ + 1;
  begin_thread(thread);
}

// The present fiber runs this thread.
void Block::begin_thread(unsigned thread) {
  Fiber& fiber = *worker->current;
  fiber.thread = thread;
  fiber.lane = thread % 32;
  fiber.warp = &warps_[thread / 32];
  fiber.warp->fiber[fiber.lane] = &fiber;
  fiber.watch = fiber.waits = 0;
  fiber.steps_seen = ~0u;
}

void Block::run_next_thread() {
  const unsigned position = next_++;
  const unsigned thread = thread_at(position);
  begin_thread(thread);
  if (explain::on) explain::begin_thread(thread);
  running->launch.run_threads(running->launch, order_ + position, 1);
  thread_ended(thread);
}

void Block::thread_ended(unsigned thread) {
  --live_;
  if (explain::on) explain::end_thread(thread);
  note_progress();
  Warp& warp = warps_[thread / 32];
  warp.ended |= 1u << thread % 32;
  if (warp.arrived != 0) [[unlikely]]
    complete_without_ended(warp);
  if (waiting_count_ != 0 && waiting_count_ == live_) [[unlikely]]
    open_barrier();
}

void Block::end_with_warp(unsigned thread) {
  if (!scheduled_) {  // in the order of threads, one has ended before the next one begins
    worker->repeat = Worker::Repeat::yes;  // who has to wait ends it
    unsigned position = 0;
    while (thread_at(position) != thread) ++position;
    for (++position; position < threads_; ++position)
      if (thread_at(position) / 32 == thread / 32)
        running->launch.run_threads(running->launch, order_ + position, 1);
    leave_block();
  }
  FiberList lanes;
  while (!ready_.empty())
    if (Fiber* const fiber = ready_.take(); fiber->thread / 32 == thread / 32) lanes.add(fiber);
  ready_ = lanes;
  schedule();  // until none can go on: this one does not
  leave_block();
}

// Runs threads until this fiber has to make room for those that can go on.
void Block::run_fiber() {
  for (;;) {
    // A switch to a fiber without a thread means that there are threads to start.
    do run_next_thread();
    while (ready_.empty() && !all_started());
    idle_.add_first(worker->current);  // whose stack is in the nearest cache
    schedule();
  }
}

void Block::finish() {
  thread_ended(worker->main().thread);
  while (live_ > 0) {
    if (ready_.empty() && !all_started())
      run_next_thread();
    else
      schedule();
  }
}

}  // namespace emulated
