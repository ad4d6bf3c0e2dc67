// What is said about a block whose threads wait.
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "diagnosis/diagnosis.h"
#include "warps/block.h"

namespace emulated {

namespace {

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

std::string kernel_text(const Block& block) { return kernel_text(block.number()); }

void note_waiting(const Block& block, Location at, double watchdog) {
  std::fprintf(stderr,
               "%s: note: %s: all threads only wait for memory to change, and the host's code behind the "
               "launch cannot "
               "change it: a launch returns when its kernel has ended; this one is ended after %g seconds of "
               "waiting\n",
               text(at).c_str(), kernel_text(block).c_str(), watchdog);
}

void print_deadlock(const Block& block, const std::string& sentence) {
  const Launch& launch = running->launch;
  const std::uint64_t begun = std::min(running->next_block.load(), running->blocks);
  std::uint64_t waiting = running->blocks - begun;
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
               thread_text(os_thread->current->thread).c_str(), sentence.c_str());
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
