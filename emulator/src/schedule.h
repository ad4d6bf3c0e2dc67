// Which thread of a block runs next. In a header, because every barrier and every warp operation comes through
// here and calls cost as much as all the rest.
#pragma once

#include "worker.h"

namespace emulated {

[[gnu::always_inline]] inline void Block::switch_to(Fiber& fiber) {
  Fiber& from = *worker_.current;
  if (&from == &fiber) return;
  worker_.current = &fiber;
  Fiber::switch_to(from, fiber);
}

// The present fiber cannot go on: gives the OS thread to another one. Returns when somebody wakes this fiber.
[[gnu::always_inline]] inline void Block::schedule() {
  if (ready_.empty()) return schedule_start();
  switch_to(ready_.take());
}

[[gnu::always_inline]] inline Fiber& Block::arrive(unsigned thread, const char* name, Location at) {
  if (phase_ == Phase::loop) [[unlikely]]
    begin_scheduling(thread);
  Fiber& self = *worker_.current;
  self.waits_for = name;
  self.at = at;
  return self;
}

}  // namespace emulated
