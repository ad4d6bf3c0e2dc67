// Which pieces of work have used which bytes: for each byte the latest write, and the uses since
// that may not have happened before what comes next. Kept across launches. Only blocks that are
// looked at count.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "order/work_order.h"

namespace emulated::explain {

/// How a byte is used; marked: atomically or volatile; updates: a marked write that reads, too.
enum Use : std::uint8_t {
  reads = 1,
  writes = 2,
  marked_reads = 4,
  marked_writes = 8,
  updates = 16
};
constexpr unsigned all_reads = reads | marked_reads;
constexpr unsigned all_writes = writes | marked_writes;
constexpr unsigned all_marked = marked_reads | marked_writes;

constexpr bool in_conflict(unsigned a, unsigned b) {
  if (((a | b) & all_writes) == 0) return false;
  return ((a & writes) != 0 && b != 0) || ((b & writes) != 0 && a != 0) ||
         ((a & marked_writes) != 0 && (b & reads) != 0) ||
         ((b & marked_writes) != 0 && (a & reads) != 0);
}
/// May the later of two kernels that do this have heard from the earlier one?
constexpr bool may_speak(unsigned a, unsigned b) {
  return (a & all_marked) != 0 && (b & all_marked) != 0 && ((a | b) & marked_writes) != 0;
}

/// Bytes from `begin` to before `end` that are used in the same way.
struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  unsigned use = 0;
};

struct UseBefore {
  WorkPointer work;
  unsigned use = 0;
};

/// Bytes up to `end` of which the same is known.
struct Stretch {
  std::uintptr_t end = 0;
  bool on_host = false;  // pinned or managed memory
  std::vector<UseBefore> uses{};
};

class WorkUses {
 public:
  /// Adds the work's use of the range, and drops those that happened before it and that it stands
  /// for. Calls `conflict` with each earlier use that is in conflict with it and did not happen
  /// before, and where.
  template <class Function>
  void add(const WorkPointer& work, const Range& range, bool on_host, Function conflict) {
    if (stretches_.size() > max_stretches) {
      stretches_.clear();
      lost_ = true;
    }
    bool alone = true;
    for_each_made(range, on_host, [&](std::uintptr_t at, Stretch& stretch) {
      std::erase_if(stretch.uses, [&](const UseBefore& before) {
        if (before.work->happened_before(work->clock))
          return (range.use & all_writes) != 0 || (before.use & all_writes) == 0;
        if (!in_conflict(range.use, before.use)) return false;
        conflict(before, at, stretch.end);
        return true;  // what comes next would only repeat it
      });
      alone &= stretch.uses.empty();
      if (stretch.uses.size() < max_uses) stretch.uses.push_back({work, range.use});
    });
    if (!alone) return;
    stretches_.erase(stretches_.lower_bound(range.begin), stretches_.lower_bound(range.end));
    stretches_[range.begin] = {range.end, on_host, {{work, range.use}}};
  }
  /// Other memory lies there from now on, or none.
  void forget(std::uintptr_t begin, std::uintptr_t end);
  /// Calls it with the beginning of each stretch that lies in the range, whole or in part, and the
  /// stretch.
  template <class Function>
  void for_each(std::uintptr_t begin, std::uintptr_t end, Function function) {
    auto it = stretches_.upper_bound(begin);
    if (it != stretches_.begin()) --it;
    for (; it != stretches_.end() && it->first < end; ++it)
      if (it->second.end > begin) function(it->first, it->second);
  }
  /// No stretch goes on over this address.
  void split_at(std::uintptr_t at);
  /// Did something not fit?
  bool lost() const { return lost_; }

 private:
  static constexpr std::size_t max_stretches = std::size_t{1} << 20;
  static constexpr std::size_t max_uses = 16;  // of a stretch

  // The stretches of the range, which are made where there are none.
  template <class Function>
  void for_each_made(const Range& range, bool on_host, Function function) {
    split_at(range.begin);
    split_at(range.end);
    auto it = stretches_.lower_bound(range.begin);
    for (std::uintptr_t at = range.begin; at < range.end; at = it->second.end, ++it) {
      if (it == stretches_.end() || it->first > at) {
        const std::uintptr_t end =
            it == stretches_.end() ? range.end : std::min(range.end, it->first);
        it = stretches_.emplace_hint(it, at, Stretch{end, on_host});
      }
      function(at, it->second);
    }
  }

  std::map<std::uintptr_t, Stretch> stretches_;  // by their beginning
  bool lost_ = false;
};

/// What the kernel that runs has done: some of Use for each byte.
class KernelUses {
 public:
  void add(std::uintptr_t begin, std::uint32_t bytes, unsigned use);
  /// All of it by address, and forgets it.
  std::vector<Range> take();
  /// Did something not fit?
  bool lost() const { return lost_; }

 private:
  static constexpr std::uintptr_t page_bytes = 4096;
  static constexpr std::size_t max_pages = std::size_t{1} << 16;
  using Page = std::array<std::uint8_t, page_bytes>;

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::uintptr_t recent_number_ = 0;
  Page* recent_ = nullptr;
  bool lost_ = false;
};

}  // namespace emulated::explain
