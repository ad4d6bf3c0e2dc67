#include "diagnosis.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <unistd.h>

namespace emulated {

namespace {

uint3 coordinates(std::uint64_t number, dim3 size) {
  return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
          static_cast<unsigned>(number / size.x / size.y)};
}

// Threads that wait at the same place for the same.
struct Group {
  std::string place;
  unsigned count, first, last;
};

void add(std::vector<Group>& groups, const Fiber& fiber, const std::string& more = "") {
  const std::string place = text(fiber.at) + ": waits at " + fiber.call->name + more;
  const auto it =
      std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.place == place; });
  if (it == groups.end()) {
    groups.push_back({place, 1, fiber.thread, fiber.thread});
    return;
  }
  ++it->count;
  it->first = std::min(it->first, fiber.thread);
  it->last = std::max(it->last, fiber.thread);
}

std::string mask_text(unsigned mask) {
  char hexadecimal[40];
  std::snprintf(hexadecimal, sizeof hexadecimal, " for lanes 0x%08x", mask);
  return hexadecimal;
}

}  // namespace

std::string text(uint3 v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string text(Location at) { return std::string(at.file_name()) + ":" + std::to_string(at.line()); }

std::string thread_text(unsigned thread) { return text(coordinates(thread, running->launch.block)); }

std::string kernel_text(const Block& block) {
  const Launch& launch = running->launch;
  return std::string("kernel ") + launch.name + ", block " + text(coordinates(block.number(), launch.grid));
}

void warn_once(const std::string& place, const std::string& sentence) {
  static std::mutex mutex;
  static std::set<std::string> seen;
  const std::lock_guard lock(mutex);
  if (seen.insert(place).second) std::fprintf(stderr, "%s: warning: %s\n", place.c_str(), sentence.c_str());
}

void report(const char* severity, const char* sentence) {
  const Launch& launch = running->launch;
  uint3 block, thread;
  launch.present(block, thread);
  const bool known = worker->repeat != Worker::Repeat::in_vain;
  std::fprintf(stderr, "%s:%u: %s: kernel %s, block %s, thread %s: %s\n", launch.file, launch.line, severity,
               launch.name, text(block).c_str(), known ? text(thread).c_str() : "unknown", sentence);
}

void note_waiting(const Block& block, Location at, double watchdog) {
  std::fprintf(stderr,
               "%s: note: %s: all threads only wait for memory to change, and the host's code behind the "
               "launch cannot "
               "change it: a launch returns when its kernel has ended; this one is ended after %g seconds of "
               "waiting\n",
               text(at).c_str(), kernel_text(block).c_str(), watchdog);
}

void give_up(const char* what) {
  // Several OS threads may come here at once; one sentence is enough.
  static std::atomic_flag ending;
  if (ending.test_and_set())
    for (;;) ::pause();
  std::fflush(stdout);
  std::fprintf(stderr, "The emulated device ends this program: %s.\n", what);
  _exit(1);  // other threads may run kernels, so that nothing can be taken down in order
}

void print_deadlock(const Block& block, const std::string& sentence) {
  const Launch& launch = running->launch;
  const std::uint64_t begun = std::min(running->next_block.load(), running->blocks);
  std::uint64_t waiting = running->launch.cooperative ? 0 : running->blocks - begun;
  for (const BlockRange& range : running->given_back) waiting += range.last - range.next;
  std::string more;
  if (waiting > 0)
    more = "\n  " + std::to_string(waiting) + " of " + std::to_string(running->blocks) +
           " blocks have not begun: only a cooperative launch promises that all run at the same time";
  std::fprintf(stderr, "%s:%u: error: %s: %s%s%s\n", launch.file, launch.line, kernel_text(block).c_str(),
               sentence.c_str(), block.who_waits().c_str(), more.c_str());
}

void print_misuse(const Block& block, Location at, const std::string& sentence) {
  std::fprintf(stderr, "%s: error: %s, thread %s: %s\n", text(at).c_str(), kernel_text(block).c_str(),
               thread_text(worker->current->thread).c_str(), sentence.c_str());
}

std::string Block::who_waits() const {
  std::vector<Group> groups;
  for (const Fiber* fiber : waiting_) add(groups, *fiber);
  for (std::size_t warp = 0; phase_ != Phase::loop && warp * 32 < threads_; ++warp)
    for (unsigned rest = warps_[warp].arrived; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      add(groups, *warps_[warp].fiber[lane], mask_text(warps_[warp].mask[lane]));
    }
  for (unsigned i = 0; i < ready_.size(); ++i) add(groups, *ready_[i]);
  std::string lines;
  for (const Group& group : groups)
    lines += "\n  " + group.place + ": " + std::to_string(group.count) +
             (group.count == 1 ? " thread, " : " threads, ") + thread_text(group.first) +
             (group.count == 1 ? "" : " to " + thread_text(group.last));
  return lines + "\n  " + std::to_string(threads_ - live_) + " of " + std::to_string(threads_) +
         " threads have ended";
}

}  // namespace emulated
