// Which thread of a block runs next. In a header, because every barrier and every warp operation comes through
// here and calls cost as much as all the rest.
#pragma once

#include "launch/worker.h"

namespace emulated {

// To another fiber than the present one.
[[gnu::always_inline]] inline void Block::switch_to(Fiber& fiber) {
  Fiber& from = *worker->current;
  worker->current = &fiber;
  Fiber::switch_to(from, fiber);
}

// The present fiber cannot go on: gives the OS thread to another one. Returns when somebody wakes this fiber.
[[gnu::always_inline]] inline void Block::schedule() {
  if (ready_.empty()) return schedule_start();
  switch_to(ready_.take());
}

[[gnu::always_inline]] inline void Block::yield(Fiber& self) {
  if (ready_.empty() && all_started()) return;
  ready_.add(&self);  // not the first
  if (!all_started())
    switch_to(fresh_fiber());
  else
    schedule();
}

[[gnu::always_inline]] inline Fiber& Block::arrive(const Call& call, Location at) {
  Fiber& self = *worker->current;
  self.call = &call;
  self.at = at;
  return self;
}

}  // namespace emulated
