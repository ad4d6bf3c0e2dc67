// Runs the threads of a block on one OS thread.
//
// A block's threads run one after another, each to its end, in a plain loop (launch.h) on the main fiber.
// Only when a thread must wait for others (at a barrier, in a warp operation) does this file come in: the
// waiting thread keeps the fiber it is on, and the threads after it are started on further fibers. Whoever
// arrives last lets the others go on. So a kernel without barriers pays nothing, and one with barriers pays a
// switch of stacks a thread and barrier.
#include "../include/emulated/scheduler.h"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "settings.h"
#include "worker.h"

namespace emulated {

Running* running = nullptr;
thread_local constinit Worker* worker = nullptr;
thread_local constinit bool inside_kernel = false;
thread_local constinit char dynamic_shared_bytes[shared_bytes_per_block_optin]
    __attribute__((aligned(1024))) = {};

bool in_kernel() { return inside_kernel; }

namespace {

// ---- messages ----
std::string text(uint3 v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string text(Location at) { return std::string(at.file_name()) + ":" + std::to_string(at.line()); }

uint3 coordinates(std::uint64_t number, dim3 size) {
  return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
          static_cast<unsigned>(number / size.x / size.y)};
}

std::string thread_text(unsigned thread) { return text(coordinates(thread, running->launch.block)); }

std::string kernel_text(const Worker& w) {
  const Launch& launch = running->launch;
  return std::string("kernel ") + launch.name + ", block " + text(coordinates(w.block, launch.grid));
}

// A warning is printed once for each place, not once for each of a million blocks.
void warn_once(const std::string& place, const std::string& sentence) {
  static std::mutex mutex;
  static std::set<std::string> seen;
  const std::lock_guard lock(mutex);
  if (seen.insert(place).second) std::fprintf(stderr, "%s: warning: %s\n", place.c_str(), sentence.c_str());
}

// Tells who waits where: one line for each place.
std::string waiting_text(const Worker& w) {
  struct Group {
    unsigned count = 0, first = 0, last = 0;
  };
  std::vector<std::pair<std::string, Group>> groups;
  auto add = [&](const Fiber* fiber, const std::string& more) {
    const std::string key = text(fiber->at) + ": waits at " + fiber->waits_for + more;
    auto it =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == key; });
    if (it == groups.end()) it = groups.insert(groups.end(), {key, {0, fiber->thread, fiber->thread}});
    ++it->second.count;
    it->second.first = std::min(it->second.first, fiber->thread);
    it->second.last = std::max(it->second.last, fiber->thread);
  };
  for (const Fiber* fiber : w.waiting) add(fiber, "");
  for (const Warp& warp : w.warps)
    for (unsigned rest = warp.arrived; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      char mask[40];
      std::snprintf(mask, sizeof mask, " for lanes 0x%08x", warp.mask[lane]);
      add(warp.fiber[lane], mask);
    }
  for (unsigned i = w.ready_first; i != w.ready_last; ++i) add(w.ready[i % w.ready.size()], "");
  std::string lines;
  for (const auto& [key, group] : groups)
    lines += "\n  " + key + ": " + std::to_string(group.count) +
             (group.count == 1 ? " thread, " : " threads, ") + thread_text(group.first) +
             (group.count == 1 ? "" : " to " + thread_text(group.last));
  lines += "\n  " + std::to_string(w.threads - w.live) + " of " + std::to_string(w.threads) +
           " threads have ended";
  return lines;
}

// The two ways to end a launch for a mistake. `sentence` is called for the text: no string may be alive when
// the frames are left behind, because nobody would free it.
template <class Sentence>
[[noreturn]] void deadlock(Worker& w, Sentence sentence) {
  const Launch& launch = running->launch;
  if (first_to_fail(cudaErrorLaunchTimeout))
    std::fprintf(stderr, "%s:%u: error: %s: %s%s\n", launch.file, launch.line, kernel_text(w).c_str(),
                 std::string(sentence()).c_str(), waiting_text(w).c_str());
  leave_block();
}

template <class Sentence>
[[noreturn]] void misuse(Worker& w, Location at, Sentence sentence) {
  if (first_to_fail(cudaErrorLaunchFailure))
    std::fprintf(stderr, "%s: error: %s, thread %s: %s\n", text(at).c_str(), kernel_text(w).c_str(),
                 thread_text(w.current->thread).c_str(), std::string(sentence()).c_str());
  leave_block();
}

// ---- which thread comes next ----
// In shuffled order every block has an order of its own.
unsigned thread_at(const Worker& w, unsigned position) {
  const Settings& s = settings();
  return static_cast<unsigned>(permute(s.order, position, w.threads, s.seed + w.block + 1));
}

void thread_entry();

[[gnu::always_inline]] inline void switch_to(Worker& w, Fiber& to) {
  Fiber& from = *w.current;
  if (&from == &to) return;
  w.current = &to;
  Fiber::switch_to(from, to);
}

Fiber& fresh_fiber(Worker& w) {
  if (!w.idle.empty()) {
    Fiber* fiber = w.idle.back();
    w.idle.pop_back();
    return *fiber;
  }
  Fiber& fiber = w.fibers[w.made];
  fiber.prepare(&thread_entry, w.made++);
  return fiber;
}

bool none_ready(const Worker& w) { return w.ready_first == w.ready_last; }
void make_ready(Worker& w, Fiber* fiber) { w.ready[w.ready_last++ % w.ready.size()] = fiber; }

void note_progress(Worker& w) {
  ++w.progress;
  if (w.stuck) [[unlikely]] {
    w.stuck = false;
    --running->stuck;
  }
}

// __activemask: nobody of the block can go on, so nobody else will join those who wait there. Each group of
// lanes at the same place is converged.
bool release_converging(Worker& w) {
  if (w.converging.empty()) return false;
  const auto same = [](const Fiber* a, const Fiber* b) {
    return a->thread / 32 == b->thread / 32 && a->at.line() == b->at.line() &&
           a->at.column() == b->at.column() && std::strcmp(a->at.file_name(), b->at.file_name()) == 0;
  };
  for (Fiber* fiber : w.converging) {
    unsigned mask = 0;
    for (const Fiber* other : w.converging)
      if (same(fiber, other)) mask |= 1u << other->thread % 32;
    w.warps[fiber->thread / 32].exchange.result[fiber->thread % 32] = mask;
    make_ready(w, fiber);
  }
  w.converging.clear();
  return true;
}

// The present fiber cannot go on: gives the OS thread to another one. Returns when somebody wakes this fiber.
[[gnu::noinline]] void schedule_start(Worker& w) {
  for (;;) {
    if (!none_ready(w)) return switch_to(w, *w.ready[w.ready_first++ % w.ready.size()]);
    if (w.next < w.threads) return switch_to(w, fresh_fiber(w));
    if (w.live == 0 && w.main_waits) return switch_to(w, *w.main);
    if (!release_converging(w)) deadlock(w, [] { return "deadlock, no thread can go on"; });
  }
}

[[gnu::always_inline]] inline void schedule(Worker& w) {
  if (none_ready(w)) return schedule_start(w);
  switch_to(w, *w.ready[w.ready_first++ % w.ready.size()]);
}

// ---- barriers ----
// Waits for the other blocks of a cooperative launch; the whole block waits here, so the OS thread may sleep.
void wait_for_grid(Worker& w) {
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
    lock.unlock();
    barrier.opened.notify_all();
    deadlock(w, [&] {
      return "deadlock, " + std::to_string(barrier.ended) + " blocks ended without coming to grid.sync()";
    });
  }
  ++running->stuck;
  const std::uint64_t generation = barrier.generation;
  barrier.opened.wait(lock, [&] { return barrier.generation != generation || running->failed; });
  --running->stuck;
  if (barrier.generation == generation) {
    lock.unlock();
    leave_block();
  }
}

// All have come: they go on. In shuffled order they do so in an order of their own.
void open_barrier(Worker& w) {
  if (w.grid_barrier) wait_for_grid(w);
  w.result = w.sum;
  ++w.barriers_passed;
  note_progress(w);
  const auto count = static_cast<unsigned>(w.waiting.size());
  if (settings().order == Order::shuffled) {
    const std::uint64_t seed = settings().seed + w.block + (std::uint64_t{w.barriers_passed} << 40);
    for (unsigned i = 0; i < count; ++i) make_ready(w, w.waiting[permute(Order::shuffled, i, count, seed)]);
  } else {
    for (Fiber* fiber : w.waiting) make_ready(w, fiber);
  }
  w.waiting.clear();
}

bool same_place(Location a, Location b) { return a.line() == b.line() && a.column() == b.column(); }

// Somebody came to another barrier than the one where others wait.
[[gnu::cold, gnu::noinline]] void meet_elsewhere(Worker& w, bool grid, Location at) {
  const Fiber &self = *w.current, &first = *w.waiting.front();
  if (w.grid_barrier != grid)
    misuse(w, at, [&] {
      return std::string("comes to ") + self.waits_for + " while others wait at " + first.waits_for + " (" +
             text(first.at) + ")";
    });
  warn_once(text(at), kernel_text(w) + ": threads of one block meet at different barriers: thread " +
                          thread_text(self.thread) + " here, thread " + thread_text(first.thread) + " at " +
                          text(first.at) + ". CUDA demands that all threads come to the same one.");
}

[[gnu::always_inline]] inline void come_to_barrier(Worker& w, const char* name, bool grid, Location at) {
  Fiber& self = *w.current;
  self.waits_for = name;
  self.at = at;
  if (w.waiting.empty())
    w.grid_barrier = grid;
  else if (w.grid_barrier != grid || !same_place(w.waiting.front()->at, at)) [[unlikely]]
    meet_elsewhere(w, grid, at);
  if (w.waiting.size() + 1 == w.live) return open_barrier(w);
  w.waiting.push_back(&self);
  schedule(w);
}

// ---- warp operations ----
unsigned existing_lanes(const Worker& w, unsigned warp) {
  const unsigned lanes = w.threads - warp * 32;
  return lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
}

// All lanes of the mask are here: computes and lets them go on. `self` (nullptr: a thread that ended) does
// not wait.
void complete(Worker& w, Warp& warp, unsigned mask, const Fiber* self) {
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (warp.operation[lane] != warp.operation[first] || warp.mask[lane] != warp.mask[first]) [[unlikely]] {
      char masks[80];
      std::snprintf(masks, sizeof masks, "masks 0x%08x and 0x%08x", warp.mask[first], warp.mask[lane]);
      misuse(w, warp.fiber[lane]->at, [&] {
        return std::string("lanes of a warp meet at different operations: lane ") + std::to_string(lane) +
               " at " + warp.name[lane] + " (" + text(warp.fiber[lane]->at) + "), lane " +
               std::to_string(first) + " at " + warp.name[first] + " (" + text(warp.fiber[first]->at) +
               "), " + masks;
      });
    }
  }
  warp.operation[first](warp.exchange, mask);
  warp.arrived &= ~mask;
  note_progress(w);
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    Fiber* fiber = warp.fiber[std::countr_zero(rest)];
    if (fiber != self) make_ready(w, fiber);
  }
}

void warn_ended_lanes(const Worker& w, const Fiber& fiber) {
  warn_once(text(fiber.at),
            kernel_text(w) + ": " + fiber.waits_for +
                " names lanes whose thread has ended. CUDA demands that all lanes of the mask come; "
                "the emulated device goes on with the others.");
}

// A lane has ended: perhaps others waited for it only. As on hardware since Volta they go on without it.
void complete_without_ended(Worker& w, Warp& warp) {
  for (unsigned rest = warp.arrived; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const unsigned present = warp.mask[lane] & ~warp.ended;
    if ((warp.arrived & present) != present) continue;
    warn_ended_lanes(w, *warp.fiber[lane]);
    complete(w, warp, present, nullptr);
    return;
  }
}

// ---- threads ----
void thread_ended(Worker& w, unsigned thread) {
  --w.live;
  note_progress(w);
  Warp& warp = w.warps[thread / 32];
  warp.ended |= 1u << thread % 32;
  if (warp.arrived != 0) [[unlikely]]
    complete_without_ended(w, warp);
  if (!w.waiting.empty() && w.waiting.size() == w.live) [[unlikely]] {
    const Fiber& first = *w.waiting.front();
    warn_once(text(first.at), kernel_text(w) + ": " + std::to_string(w.threads - w.live) + " of " +
                                  std::to_string(w.threads) + " threads ended without coming to this " +
                                  first.waits_for +
                                  ". CUDA demands that all come; hardware since Volta and the "
                                  "emulated device go on with the others.");
    open_barrier(w);
  }
}

void run_next_thread(Worker& w) {
  const unsigned thread = thread_at(w, w.next++);
  Fiber* self = w.current;
  self->thread = thread;
  self->watched_address = nullptr;
  running->launch.run_thread(running->launch, thread);
  thread_ended(w, thread);
}

// What a fiber does: run threads that nobody has started yet, until it has to make room for those that can go
// on.
void thread_entry() {
  Worker& w = *worker;
  if (w.current == w.main) {
    running->launch.run_blocks(running->launch);
    switch_to(w, w.native);
    __builtin_unreachable();
  }
  for (;;) {
    // Whoever switches to a fiber without a thread does so because there are threads to start.
    do run_next_thread(w);
    while (none_ready(w) && w.next < w.threads);
    w.idle.push_back(w.current);
    schedule(w);
  }
}

// The first thread of a block that has to wait runs in the loop of the main fiber. From now on the block is
// run here.
[[gnu::noinline]] void begin_scheduling(Worker& w, unsigned thread) {
  w.scheduling = true;
  w.main->thread = thread;
  w.main->watched_address = nullptr;
  const unsigned position = threads_in_order() ? thread : w.position;
  w.next = position + 1;
  w.live = w.threads - position;
  w.waiting.clear();
  w.converging.clear();
  w.sum = 0;
  for (unsigned warp = 0; warp * 32 < w.threads; ++warp) w.warps[warp].arrived = w.warps[warp].ended = 0;
  for (unsigned p = 0; p < position; ++p) {
    const unsigned ended = thread_at(w, p);
    w.warps[ended / 32].ended |= 1u << ended % 32;
  }
  note_progress(w);
}

// Nothing but waiting threads: lets other OS threads run, and looks whether that has gone on for too long.
void give_way(Worker& w) {
  if (running->failed) leave_block();
  sched_yield();
  const auto now = std::chrono::steady_clock::now();
  if (w.progress != w.progress_seen) {
    w.progress_seen = w.progress;
    w.progress_time = now;
    return;
  }
  if (std::chrono::duration<double>(now - w.progress_time).count() < settings().watchdog) return;
  if (!w.stuck) {
    w.stuck = true;
    ++running->stuck;
  }
  // Somebody who computes may still write what this block waits for.
  if (running->stuck < running->active) return;
  make_ready(w, w.current);  // so that it is in the list of those who wait
  char seconds[40];
  std::snprintf(seconds, sizeof seconds, "no progress for %g seconds", settings().watchdog);
  deadlock(w,
           [&] { return std::string(seconds) + ", all threads only wait for memory that nobody changes"; });
}

}  // namespace

void prepare_main_fiber(Worker& w) { w.main->prepare(&thread_entry, w.made++); }
void enter_main_fiber(Worker& w) { switch_to(w, *w.main); }

void report(const char* severity, const char* sentence) {
  const Launch& launch = running->launch;
  uint3 block, thread;
  launch.present(block, thread);
  std::fprintf(stderr, "%s:%u: %s: kernel %s, block %s, thread %s: %s\n", launch.file, launch.line, severity,
               launch.name, text(block).c_str(), text(thread).c_str(), sentence);
}

bool first_to_fail(cudaError_t error) {
  GridBarrier& barrier = running->grid_barrier;
  {
    const std::lock_guard lock(barrier.mutex);  // so that nobody falls asleep there after this
    if (running->failed) return false;
    running->error = error;
    running->failed = true;
  }
  barrier.opened.notify_all();
  return true;
}

void leave_block() {
  switch_to(*worker, worker->native);  // the fibers' frames are simply left behind
  __builtin_unreachable();
}

void device_fault(cudaError_t error, const char* sentence) {
  if (!inside_kernel) {
    std::fprintf(stderr, "%s outside of a kernel\n", sentence);
    std::abort();
  }
  if (first_to_fail(error)) report("error", sentence);
  leave_block();
}

// ---- called from the loop over blocks (launch.h) ----
bool threads_in_order() { return settings().order == Order::in_order; }

bool claim_blocks(std::uint64_t& first, std::uint64_t& last) {
  Running& r = *running;
  if (r.failed.load(std::memory_order_relaxed)) return false;
  if (r.launch.cooperative) {  // each OS thread has one block
    first = worker->index;
    last = first + 1;
    return !std::exchange(worker->had_block, true);
  }
  first = r.next_block.fetch_add(r.chunk, std::memory_order_relaxed);
  if (first >= r.blocks) return false;
  last = std::min(first + r.chunk, r.blocks);
  return true;
}

std::uint64_t block_at(std::uint64_t position) {
  const Settings& s = settings();
  return permute(s.order, position, running->blocks, s.seed);
}

void begin_block(std::uint64_t block) {
  Worker& w = *worker;
  w.block = block;
  w.scheduling = false;
}

bool run_threads_reordered() {
  Worker& w = *worker;
  for (w.position = 0; w.position < w.threads; ++w.position) {
    running->launch.run_thread(running->launch, thread_at(w, w.position));
    if (w.scheduling) return false;
  }
  return true;
}

void finish_suspended_block() {
  Worker& w = *worker;
  thread_ended(w, w.main->thread);
  while (w.live > 0) {
    if (none_ready(w) && w.next < w.threads) {
      run_next_thread(w);
    } else {
      w.main_waits = true;
      schedule(w);
      w.main_waits = false;
    }
  }
}

void end_block() {
  if (!running->launch.cooperative) return;
  GridBarrier& barrier = running->grid_barrier;
  std::unique_lock lock(barrier.mutex);
  ++barrier.ended;
  if (barrier.waiting > 0 && barrier.waiting + barrier.ended == running->blocks) {
    lock.unlock();
    deadlock(*worker, [&] {
      return "deadlock, this and other blocks ended without coming to grid.sync(), where " +
             std::to_string(barrier.waiting) + " blocks wait";
    });
  }
}

// ---- called from threads (barriers.h, warp.h) ----
int block_barrier(unsigned thread, int value, Reduction reduction, const char* name, Location at) {
  Worker& w = *worker;
  if (!w.scheduling) begin_scheduling(w, thread);
  if (reduction != Reduction::none) {
    const bool first = w.waiting.empty();
    switch (reduction) {
      case Reduction::all:
        w.sum = first ? value : w.sum & value;
        break;
      case Reduction::any:
        w.sum = first ? value : w.sum | value;
        break;
      default:
        w.sum = first ? value : w.sum + value;
    }
  }
  come_to_barrier(w, name, false, at);
  return w.result;
}

bool is_cooperative() { return running != nullptr && running->launch.cooperative; }

void grid_barrier(unsigned thread, Location at) {
  Worker& w = *worker;
  if (!w.scheduling) begin_scheduling(w, thread);
  if (!running->launch.cooperative)
    misuse(w, at, [&] { return "grid.sync() needs a cooperative launch (cudaLaunchCooperativeKernel)"; });
  come_to_barrier(w, "grid.sync", true, at);
}

std::uint64_t warp_operation(unsigned thread, unsigned mask, std::uint64_t value, std::uint64_t argument,
                             WarpOperation operation, const char* name, Location at) {
  Worker& w = *worker;
  if (!w.scheduling) begin_scheduling(w, thread);
  Fiber& self = *w.current;
  self.waits_for = name;
  self.at = at;
  Warp& warp = w.warps[thread / 32];
  const unsigned lane = thread % 32;
  mask &= existing_lanes(w, thread / 32);  // the last warp of a block may be short
  if ((mask >> lane & 1) == 0)
    misuse(w, at, [&] { return std::string(name) + ": the calling lane is not in its own mask"; });
  warp.exchange.value[lane] = value;
  warp.exchange.argument[lane] = argument;
  warp.mask[lane] = mask;
  warp.name[lane] = name;
  warp.operation[lane] = operation;
  warp.fiber[lane] = &self;
  warp.arrived |= 1u << lane;
  const unsigned present = mask & ~warp.ended;
  if ((warp.arrived & present) == present) {
    if (present != mask) [[unlikely]]
      warn_ended_lanes(w, self);
    complete(w, warp, present, &self);
  } else {
    schedule(w);
  }
  return warp.exchange.result[lane];
}

unsigned converged_lanes(unsigned thread, Location at) {
  Worker& w = *worker;
  if (!w.scheduling) begin_scheduling(w, thread);
  Fiber& self = *w.current;
  self.waits_for = "__activemask";
  self.at = at;
  w.converging.push_back(&self);
  // The usual case: the whole warp is here.
  const unsigned warp = thread / 32;
  unsigned here = 0;
  for (const Fiber* other : w.converging)
    if (other->thread / 32 == warp && other->at.line() == at.line() && other->at.column() == at.column())
      here |= 1u << other->thread % 32;
  if (here == (existing_lanes(w, warp) & ~w.warps[warp].ended)) {
    std::erase_if(w.converging, [&](Fiber* other) {
      if (other->thread / 32 != warp) return false;
      w.warps[warp].exchange.result[other->thread % 32] = here;
      if (other != &self) make_ready(w, other);
      return true;
    });
    return here;
  }
  schedule(w);
  return static_cast<unsigned>(w.warps[warp].exchange.result[thread % 32]);
}

void spin(unsigned thread, const void* address, std::uint64_t value, Location at) {
  if (!inside_kernel) {  // host code may use the same classes
    sched_yield();
    return;
  }
  Worker& w = *worker;
  if (!w.scheduling) begin_scheduling(w, thread);
  Fiber& self = *w.current;
  self.waits_for = "a change of memory";
  self.at = at;
  if (address != nullptr && (address != self.watched_address || value != self.watched_value)) {
    note_progress(w);
    self.watched_address = address;
    self.watched_value = value;
  }
  // Every thread of the block had its chance: now the other OS threads.
  if (++w.spins >= w.live) {
    w.spins = 0;
    give_way(w);
    if (none_ready(w) && w.next >= w.threads) release_converging(w);
  }
  if (none_ready(w) && w.next >= w.threads) return;
  make_ready(w, &self);
  if (w.next < w.threads) return switch_to(w, fresh_fiber(w));
  schedule(w);
}

}  // namespace emulated
