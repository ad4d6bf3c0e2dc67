// What is said about a block whose threads wait.
#include <algorithm>
#include <bit>
#include <map>
#include <string>

#include "diagnosis/diagnosis.h"
#include "warps/block.h"

namespace emulated {

namespace {

// Threads that wait at the same place for the same.
struct Group {
  unsigned count = 0, first = threads_per_block, last = 0;
};
using Groups = std::map<std::string, Group>;

void add(Groups& groups, const Fiber& fiber, const std::string& more = "") {
  Group& group = groups[text(fiber.at) + ": waits at " + fiber.call->name + more];
  ++group.count;
  group.first = std::min(group.first, fiber.thread);
  group.last = std::max(group.last, fiber.thread);
}

uint3 coordinates(std::uint64_t number, dim3 size) {
  return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
          static_cast<unsigned>(number / size.x / size.y)};
}

std::string mask_text(unsigned mask) {
  char hexadecimal[40];
  std::snprintf(hexadecimal, sizeof hexadecimal, " for lanes 0x%08x", mask);
  return hexadecimal;
}

}  // namespace

std::string thread_text(unsigned thread) {
  return text(coordinates(thread, running->launch.block));
}

std::string kernel_text() {
  const Launch& launch = running->launch;
  return std::string("kernel ") + launch.name + ", block " +
         text(coordinates(worker->block->number(), launch.grid));
}

void print_deadlock(const std::string& sentence) {
  const std::uint64_t begun = std::min(running->next_block.load(), running->blocks);
  std::uint64_t waiting = running->blocks - begun;
  for (const BlockRange& range : running->given_back) waiting += range.last - range.next;
  std::string more;
  if (waiting > 0)
    more =
        "\n  " + std::to_string(waiting) + " of " + std::to_string(running->blocks) +
        " blocks have not begun: only a cooperative launch promises that all run at the same time";
  report_error(text(running->launch.at).c_str(), "%s: %s%s%s", kernel_text().c_str(),
               sentence.c_str(), worker->block->who_waits().c_str(), more.c_str());
}

void print_misuse(Location at, const std::string& sentence) {
  report_error(text(at).c_str(), "%s, thread %s: %s", kernel_text().c_str(),
               thread_text(worker->current->thread).c_str(), sentence.c_str());
}

std::string Block::who_waits() const {
  Groups groups;
  for (const Fiber* fiber = waiting_.first(); fiber != nullptr; fiber = fiber->next)
    add(groups, *fiber);
  for (std::size_t warp = 0; scheduled_ && warp * 32 < threads_; ++warp)
    for (unsigned rest = warps_[warp].arrived; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      add(groups, *warps_[warp].fiber[lane], mask_text(warps_[warp].mask[lane]));
    }
  for (const Fiber* fiber = ready_.first(); fiber != nullptr; fiber = fiber->next)
    add(groups, *fiber);
  std::string lines;
  for (const auto& [place, group] : groups)
    lines += "\n  " + place + ": " + std::to_string(group.count) +
             (group.count == 1 ? " thread, " : " threads, ") + thread_text(group.first) +
             (group.count == 1 ? "" : " to " + thread_text(group.last));
  return lines + "\n  " + std::to_string(threads_ - live_) + " of " + std::to_string(threads_) +
         " threads have ended";
}

}  // namespace emulated
