// Loops that never end and do not wait: `while (i < n) out[i] = in[i];`. Nothing in them calls the
// device, so an OS thread of its own looks on. Where a launch takes longer than the watchdog
// allows, it asks for the state of each OS thread that runs blocks, by a signal, hundreds of times.
// A thread that is found in the same state again (instruction, registers, stack), and the device's
// memory is the same, too, will do the same forever. One that counts or sums is never found so; on
// a terminal it is said once where it is.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "block.h"
#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"
#include "launch/settings.h"
#include "memory/arena.h"
#include "platform/platform.h"
#include "streams/waits.h"

namespace emulated {

namespace {

constexpr auto watch_tick = std::chrono::milliseconds(100);
constexpr auto between_looks = std::chrono::microseconds(500);
constexpr unsigned ticks_per_second = 10, looks = 400, enough_repeats = 40;
// A thread that has used so much of a processor between two looks has gone on from where it was.
constexpr auto has_run = std::chrono::microseconds(50);

struct Workers {
  std::mutex mutex;
  std::vector<Worker*> all;
};
// Never destroyed: the thread that looks on has no end.
Workers& workers() {
  static auto& value = *new Workers;
  return value;
}

bool runs(std::uint64_t work) {
  return __atomic_load_n(&running, __ATOMIC_RELAXED) != nullptr && given_work() == work;
}

// The state of the OS thread; 0: it is in no loop of the program's. Where the signal comes the pack
// explain may hold a lock: it is asked, too.
std::uint64_t state_of(Worker& one) {
  const unsigned before = one.looks;
  ask_for_state(one.os_thread);
  if (explain::on) explain::ask_for_state();
  for (int i = 0; i < 200 && one.looks == before; ++i) std::this_thread::sleep_for(between_looks);
  return one.looks == before ? 0 : one.state.load();
}

// The launch may end meanwhile, and close the device's memory.
std::uint64_t hash_of_open_memory(const Worker& one) {
  const DeviceAccess open;
  return hash_of_memory(one);
}

// Does it come back to the same state again and again?
bool repeats(Worker& one, std::uint64_t work) {
  const std::uint64_t memory = hash_of_open_memory(one);
  std::array<std::uint64_t, looks> seen{};
  unsigned repeated = 0;
  unsigned waits = 0;
  std::chrono::nanoseconds left_at{};
  one.loop = nullptr;
  for (std::uint64_t& state : seen) {
    if (!runs(work)) return false;
    const unsigned before = one.looks;
    state = state_of(one);
    if (one.looks == before) return false;  // it runs no block
    const bool moved = one.asked_at - left_at > has_run;
    left_at = one.answered_at;
    if (&state == seen.data()) waits = one.waits;
    if (one.waits != waits) return false;  // its block waits, which waiting.cpp looks after
    // A loop of a single instruction is in the same state at each look; so is, on a busy machine,
    // a thread that has not run meanwhile.
    const bool again = state != 0 && std::find(seen.data(), &state, state) != &state;
    if (again && (state != (&state)[-1] || moved)) {
      const void* const instruction = one.found.instruction;
      if (one.loop == nullptr || instruction < one.loop) one.loop = instruction;
      if (++repeated == enough_repeats) break;
    }
    std::this_thread::sleep_for(between_looks);
  }
  return repeated == enough_repeats && hash_of_open_memory(one) == memory && runs(work);
}

// Whose block comes first in the grid?
bool comes_before(const Worker* one, const Worker* other) {
  const uint3 a = one->found.block;
  const uint3 b = other->found.block;
  return std::tie(a.z, a.y, a.x) < std::tie(b.z, b.y, b.x);
}

// Says where the OS thread is; false: in no loop of the program's.
bool tell_where(Worker& one, std::uint64_t work) {
  if (state_of(one) == 0 || !runs(work)) return false;
  const Worker::Found found = one.found;
  char at[1000];
  write_source_line(found.instruction, at, sizeof at);
  if (*at == '\0') return false;
  const std::string thread =
      found.thread.x == unknown_thread ? "" : ", thread " + text(found.thread);
  std::fprintf(
      stderr,
      "%s: note: kernel %s has run for more than %g s; block %s%s is%s. If the loop there never "
      "ends, press Ctrl-C\n",
      text(found.launched_at).c_str(), found.kernel, settings().watchdog, text(found.block).c_str(),
      thread.c_str(), at);
  return true;
}

// (Under sanitizers nothing starts it.)
[[noreturn, maybe_unused]] void look_on() {
  std::uint64_t work = 0;
  std::uint64_t reported_work = 0;
  for (unsigned ticks = 0;; ++ticks) {
    std::this_thread::sleep_for(watch_tick);
    if (!runs(work)) {
      work = given_work();
      ticks = 0;
    }
    if (ticks < settings().watchdog * ticks_per_second) continue;
    ticks -= std::min(ticks, ticks_per_second);
    const std::lock_guard lock(workers().mutex);
    // More of them were added for blocks that others wait for.
    if (workers().all.size() > settings().workers) continue;
    std::vector<Worker*> endless;
    std::copy_if(workers().all.begin(), workers().all.end(), std::back_inserter(endless),
                 [work](Worker* one) { return repeats(*one, work); });
    // The first one says so.
    std::sort(endless.begin(), endless.end(), comes_before);
    for (Worker* const one : endless) {
      one->ends_loop = true;
      state_of(*one);
      one->ends_loop = false;
    }
    for (Worker* const one : workers().all)
      if (settings().on_terminal && reported_work != work && runs(work) && tell_where(*one, work))
        reported_work = work;
  }
}

}  // namespace

void add_worker(Worker& one) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  static std::once_flag once;
  std::call_once(once, [] { start_without_signals(&look_on); });
#endif
  const std::lock_guard lock(workers().mutex);
  workers().all.push_back(&one);
}

void remove_worker(Worker& one) {
  const std::lock_guard lock(workers().mutex);
  std::erase(workers().all, &one);
}

// Called by a signal handler, or by the pack explain.
bool ends_here(const void* instruction, const char* stack, std::uint64_t registers) {
  if (!inside_kernel || worker == nullptr || worker->answers) return false;
  Worker& own = *worker;
  own.answers = true;  // present() is the program's, with hooks
  own.asked_at = thread_time();
  const auto* const top = static_cast<const char*>(own.current->stack_top());
  const bool in_loop = in_program(instruction) && stack < top &&
                       static_cast<std::size_t>(top - stack) < Fiber::stack_bytes;
  own.found = {running->launch.name, running->launch.at, instruction, {}, {}};
  running->launch.present(own.found.block, own.found.thread);
  // The kernel's indices are on no stack.
  const uint3 indices[] = {own.found.block, own.found.thread};
  const std::uint64_t turn[] = {registers, reinterpret_cast<std::uintptr_t>(own.current),
                                own.current->waits, static_cast<std::uint64_t>(own.current->clock),
                                hash_of(no_words, indices, sizeof indices)};
  own.state = in_loop ? hash_of(hash_of(no_words, turn, sizeof turn), stack,
                                static_cast<std::size_t>(top - stack)) |
                            1
                      : 0;
  own.waits = own.current->waits;
  own.answers = false;
  own.answered_at = thread_time();
  ++own.looks;
  return in_loop && own.ends_loop.exchange(false);
}

}  // namespace emulated
