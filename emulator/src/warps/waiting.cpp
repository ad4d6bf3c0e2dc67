// Threads that wait in a loop for memory to change, and the watchdog that ends a
// kernel in which all do so forever.
//
// Atomic functions and the like notice a loop (../include/emulated/barriers.h) and call spin(),
// which lets the other threads of the block run, then the other OS threads. When nothing happens
// for a while, each thread's registers and stack are compared with what they were: a thread that
// comes back to the same state while memory stays the same will do the same forever. A thread
// that counts, sums, reads the clock or sleeps longer each time does not come back, so it works.
//
// Threads that meet at barriers or in warp operations may loop forever, too. Every so often
// they are looked at in the same way.
//
// Time decides only when to look. That nothing comes of a kernel follows from states: in one round
// (Running::round) all threads of all blocks have come back to theirs, memory holds the same at the
// end as at the beginning, and no block is left that could begin.
#include <algorithm>
#include <span>
#include <thread>
#include <utility>

#include "block.h"
#include "diagnosis/diagnosis.h"
#include "launch/declarations.h"
#include "launch/settings.h"
#include "memory/list.h"
#include "platform/platform.h"

namespace emulated {

using Clock = std::chrono::steady_clock;

// A loop that looks at it works, even if nothing of it is left where the thread's state is found.
long long nanoseconds() {
  const long long now =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
  if (inside_kernel) worker->current->clock = now;
  return now;
}

const Call change_of_memory{"a change of memory"};

namespace {

// In a program that explains time passes by looks, which take so long each: what the blocks find
// about each other depends on when another one begins, and not on how busy the machine is.
constexpr auto look_time = std::chrono::microseconds(4);
Clock::time_point present_time() {
  if (explain::on) return Clock::time_point(running->looks * look_time);
  return Clock::now();
}

// After so long a time of nothing but waiting another OS thread may run blocks that have not begun:
// longer than the machine is likely to keep an OS thread from running whose block the others wait
// for. The next ones follow sooner.
constexpr auto patience = std::chrono::milliseconds(100);
constexpr auto patience_for_another = std::chrono::milliseconds(10);
// Most waiting is over sooner: before that the clock is not read, and before that states are not
// compared, which takes longer than all the rest of a look.
constexpr std::uint64_t turns_before_clock = 16;
constexpr auto unwatched = std::chrono::milliseconds(20);
// The blocks of a cooperative launch have all begun, and where they share
// few cores each waits for long.
constexpr auto unwatched_cooperative = std::chrono::milliseconds(500);
// A thread may come back to its state after many looks only, when it looks at many words in turn.
// Until it has looked so many times it may still be about to; later it counts as working.
constexpr std::uint64_t many_looks = 256;
// In a program that explains, other blocks get their turn after so many looks of the only thread of
// a block that does not wait at a barrier.
constexpr unsigned looks_alone = 32;

// Waits a moment before the next look: the longer, the more often nothing was seen. Meanwhile
// another OS thread can take and release a lock many times without its cache line being torn away.
// A thread that has seen another value may hold the lock itself: it only yields the core now and
// then. In a cooperative launch of hundreds of OS threads those that wait sleep, longer each time:
// one that only yields is soon run again, to wait.
void pause(std::uint64_t turns, bool watched, bool saw_same_value) {
  constexpr std::uint64_t longest = 7;
  if (running->active == 1) return;  // nothing to wait for
  if (turns > longest) {
    if (running->launch.cooperative && running->active > settings().workers)
      return std::this_thread::sleep_for(
          std::chrono::microseconds(50) *
          (1 << std::min<std::uint64_t>(turns - longest, watched ? 10 : 7)));
    if (saw_same_value || turns % 16 == 0) std::this_thread::yield();
  }
  if (!saw_same_value) return;
  const std::uint64_t moments = std::uint64_t{4} << std::min(turns, longest);
  for (std::uint64_t i = 0; i < moments; ++i) pause_processor();
}

}  // namespace

// FNV-1a, 64 bits, by words.
[[gnu::no_sanitize_address]] std::uint64_t hash_of(std::uint64_t hash, const void* begin,
                                                   std::size_t bytes) {
  using Word [[gnu::may_alias]] = std::uint64_t;
  const auto add = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3ull;
    hash ^= hash >> 29;
  };
  const auto* word = static_cast<const Word*>(begin);
  for (; bytes >= sizeof(Word); bytes -= sizeof(Word)) add(*word++);
  for (auto* rest = reinterpret_cast<const char*>(word); bytes > 0; --bytes)
    add(static_cast<unsigned char>(*rest++));
  return hash;
}

std::uint64_t hash_of_shared_memory(const Worker& one) {
  std::uint64_t hash = no_words;
  for (const std::span<char> piece : one.shared) hash = hash_of(hash, piece.data(), piece.size());
  return hash;
}

std::uint64_t hash_of_memory(const Worker& one) {
  std::uint64_t hash = hash_of_shared_memory(one);
  const auto add = [&hash](const char* begin, std::size_t bytes) {
    hash = hash_of(hash, begin, bytes);
  };
  for_each_variable([&](const DeviceVariable& variable) { add(variable.begin, variable.bytes); });
  allocations().for_each(add);
  return hash | 1;
}

// The block goes on or has ended: what it does others may wait for.
void Block::note_not_idle() {
  if (std::exchange(only_waits_, false)) ++running->round;
}

// A thread of the block has come to another state, or memory has changed.
void Block::note_work() {
  quiet_since_ = present_time();
  note_not_idle();
}

// Compares the thread's state with one that it was in before. That one is replaced after 1, 2,
// 4, ... looks, so that a cycle of any length is found (Brent, An Improved Monte Carlo
// Factorization Algorithm, 1980).
void Block::watch(Fiber& self, const char* frame) {
#if defined(__SANITIZE_ADDRESS__)
  frame = self.frame;
#endif
  const std::uint64_t state =
      hash_of(hash_of(no_words, &self.clock, sizeof self.clock), frame,
              static_cast<std::size_t>(static_cast<char*>(self.stack_top()) - frame));
  const bool is_first = self.watch != watch_;
  const bool left_cycle = self.repeats && self.looks >= self.period;
  self.watch = watch_;
  if (!is_first && state == self.state) {
    self.repeats = true;
    self.looks = 0;
    self.circled_in = std::exchange(self.returned_in, round_);
  } else if (is_first || left_cycle) {
    if (!is_first) note_work();
    self.repeats = false;
    self.state = state;
    self.looks = 0;
    self.period = 1;
    self.returned_in = self.circled_in = 0;
  } else if (++self.looks >= self.period && !self.repeats) {
    if (self.period >= many_looks) note_work();
    self.state = state;
    self.looks = 0;
    self.period *= 2;
  }
}

void Block::no_progress(const char* what) {
  ready_.add(worker->current);  // so that it is in the list of those who wait
  deadlock([=] {
    char sentence[200];
    std::snprintf(sentence, sizeof sentence, "no progress for %g seconds, all threads %s",
                  settings().watchdog, what);
    return std::string(sentence);
  });
}

// Have all OS threads found in the whole present round that nothing comes of their blocks? That of
// the first block says so.
bool Block::all_blocks_idle() {
  // Before the round is looked at: who ends or sleeps begins one first.
  const unsigned awake = running->active - running->asleep;
  const std::lock_guard lock(running->mutex);
  if (running->round != round_) return false;
  if (std::exchange(running->idle_round, round_) != round_) {
    running->idle = 0;
    running->first_idle = number_;
  }
  if (std::exchange(idle_in_round_, round_) != round_) {
    ++running->idle;
    running->first_idle = std::min(running->first_idle, number_);
  }
  return running->idle >= awake && running->first_idle == number_;
}

// All threads of the block come back to the same states. Ends the kernel if those of all other
// blocks do, too, in one round and for as long as the watchdog waits.
void Block::find_no_progress(Clock::time_point now, const char* what) {
  // Perhaps for blocks that have not begun, in a barrier of the whole grid that was made by hand.
  // On a GPU as many blocks as fit run at the same time, so here, too.
  if (now - asked_for_more_ >= patience_for_another) {
    asked_for_more_ = now;
    give_back_blocks();
    begin_more_blocks();
  }
  const bool begins = !std::exchange(only_waits_, true);
  if (begins) {
    shared_memory_ = hash_of_shared_memory(*worker);
    ++running->round;
  }
  if (begins || round_ != running->round) {
    round_ = running->round;
    round_since_ = now;
    memory_ = 0;
    return;
  }
  if (!circled_) return;
  if (idle_in_round_ != round_ && hash_of_shared_memory(*worker) != shared_memory_)
    return note_work();
  if (!all_blocks_idle()) return;
  if (memory_ == 0) {
    memory_ = hash_of_memory(*worker);
    return;
  }
  const std::chrono::duration<double> seconds = now - std::max(quiet_since_, round_since_);
  if (seconds.count() < settings().watchdog || begin_more_blocks()) return;
  if (hash_of_memory(*worker) != memory_) return note_work();
  no_progress(what);
}

// Do all threads that have moved since the last call come back to the same states again and again?
bool Block::all_repeat() {
  if (!all_started()) return false;
  bool all = true;
  circled_ = true;
  for (unsigned thread = 0; thread < threads_; ++thread) {
    const Warp& warp = warps_[thread / 32];
    if ((warp.ended >> thread % 32 & 1) != 0) continue;
    Fiber& fiber = *warp.fiber[thread % 32];
    const bool moved = std::exchange(fiber.waits_seen, fiber.waits) != fiber.waits;
    all = all && (!moved || (fiber.watch == watch_ && fiber.repeats));
    circled_ = circled_ && (!moved || fiber.circled_in == round_);
  }
  return all;
}

// A thread has come to many barriers or warp operations: does anything come of it?
[[gnu::noinline]] void Block::check_progress(Fiber& self) {
  if (explain::on && self.call != &change_of_memory) {
    running->looks += waits_until_check;
    let_other_blocks_run();
  }
  if (watched_) return;  // spin() looks more closely
  __builtin_unwind_init();
  watch(self, static_cast<char*>(__builtin_frame_address(0)) - saved_below_frame);
  const Clock::time_point now = present_time();
  if (!self.repeats || now - looked_ < patience) return;
  looked_ = now;
  if (!all_repeat()) return note_work();
  find_no_progress(now, "repeat the same steps, and memory does not change");
}

// All threads of the block had their chance and wait: lets other OS threads run, and looks whether
// that has gone on for too long.
void Block::let_others_run(bool saw_same_value) {
  if (running->failed) leave_block();
  if (progress_ != progress_seen_) {
    progress_seen_ = progress_;
    quiet_turns_ = 0;
    watched_ = false;
    note_not_idle();
  }
  if (explain::on)
    let_other_blocks_run();
  else
    pause(quiet_turns_, watched_, saw_same_value);
  if (++quiet_turns_ < turns_before_clock) return;
  const Clock::time_point now = present_time();
  if (quiet_turns_ == turns_before_clock) quiet_since_ = now;
  if (!watched_) {
    if (now - quiet_since_ < (running->launch.cooperative ? unwatched_cooperative : unwatched))
      return;
    watched_ = true;
    ++watch_;
    quiet_since_ = now;
    return;
  }
  if (now - quiet_since_ < patience || now - looked_ < patience_for_another) return;
  looked_ = now;
  if (all_repeat())
    find_no_progress(now,
                     "only wait for memory that no thread changes (the host cannot either, as it "
                     "could on a GPU: here a launch returns after the kernel has ended)");
}

// __builtin_unwind_init: the registers that a called function must keep, in which the kernel has
// its variables, are pushed to the stack where watch() finds them.
[[gnu::noinline]] void Block::spin(Location at, bool saw_same_value) {
  __builtin_unwind_init();
  Fiber& self = arrive(change_of_memory, at);
  const bool due = progress_check_is_due(self);
  if (watched_)
    watch(self, static_cast<char*>(__builtin_frame_address(0)) - saved_below_frame);
  else if (due)
    check_progress(self);
  if (explain::on) ++running->looks;
  const bool alone = explain::on && ready_.empty() && all_started();
  if (++spins_ >= (alone ? std::min(looks_alone, live_) : live_)) {
    spins_ = 0;
    let_others_run(saw_same_value);
  }
  if (saw_same_value || spins_ == 0) self.steps_seen = steps_;
  ++all_spins_;
  if (!converging_.empty()) release_during_spins();
  yield(self);
}

void spin(Location at, bool saw_same_value) {
  if (!inside_kernel) {  // host code may use the same classes
    std::this_thread::yield();
    return;
  }
  worker->block->spin(at, saw_same_value);
}

}  // namespace emulated
