#include "managed.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arena.h"
#include "diagnosis/diagnosis.h"
#include "emulated/arguments.h"
#include "launch/running.h"
#include "list.h"
#include "platform/platform.h"

namespace emulated {

namespace {

// Memory that is closed, and the first kernel that has written there, or the copy.
struct Closed {
  std::span<char> pages;  // of which the first ones may be open again
  const char* begin;      // of the allocation
  Allocation allocation;
  const char* kernel;  // nullptr: a copy, which has written all of it
  Location at;         // of the kernel's launch
  const void* copied_by = nullptr;
  std::vector<char> before = {};  // what the allocation held before the kernel
};
constexpr std::size_t compared_per_unit = 64;  // bytes
struct ClosedMemory {
  std::mutex mutex;
  std::vector<Closed> all;                   // one for each managed allocation, one for each copy
  Budget budget{std::uint64_t{2} << 20, 1};  // of copies of what memory holds
};
std::atomic<bool> any_closed = false;
// Never destroyed: static destructors may launch kernels.
ClosedMemory& closed() {
  static auto& value = *new ClosedMemory;
  return value;
}

// What the kernel that this host thread launches next gets. More are left out.
thread_local constinit std::array<const void*, 32> written = {};
thread_local constinit unsigned written_count = 0;

Closed* find(const void* begin, std::size_t bytes) {
  const auto* const from = static_cast<const char*>(begin);
  auto& all = closed().all;
  const auto it = std::find_if(all.rbegin(), all.rend(), [&](const Closed& one) {
    return from < one.pages.data() + one.pages.size() && one.pages.data() < from + bytes;
  });
  return it == all.rend() ? nullptr : &*it;
}

// The first of these bytes that belongs to an element that was written; nullptr: none does.
const char* first_written(const Closed& memory, const char* from, const char* end) {
  if (explain::on) return static_cast<const char*>(explain::first_being_written(from, end));
  if (memory.kernel == nullptr) return from;
  const std::size_t size = std::max<std::size_t>(memory.allocation.element_bytes, 1);
  const auto first = static_cast<std::size_t>(from - memory.begin) / size * size;
  for (std::size_t at = first; memory.begin + at < end && at < memory.before.size(); at += size)
    if (std::memcmp(memory.begin + at, memory.before.data() + at,
                    std::min(size, memory.before.size() - at)) != 0)
      return std::max(from, memory.begin + at);
  return nullptr;
}

void open_all() {
  device_arena().open_too();
  closed().all.clear();
  any_closed = false;
}

// Opens it up to the page in which these bytes end.
void open_up_to(Closed& memory, const char* end) {
  const std::size_t page = page_bytes();
  const auto bytes = static_cast<std::size_t>(end - memory.pages.data());
  const std::size_t first = std::min((bytes + page - 1) / page * page, memory.pages.size());
  device_arena().open_too(memory.pages.first(first));
  memory.pages = memory.pages.subspan(first);
}

}  // namespace

void begin_arguments() {
  tell_dropped();  // what failed before is named first
  explain::begin_arguments();
  written_count = 0;
  null_argument = 0;
}

void note_written_argument(const void* pointer) {
  if (allocations().has_managed() && device_arena().closes() && written_count < written.size())
    written[written_count++] = pointer;
}

ManagedWrites::ManagedWrites() {
  for (const void* const pointer : std::span(written.data(), std::exchange(written_count, 0))) {
    const auto [place, found, offset] = allocations().place(pointer);
    if (found.type != cudaMemoryTypeManaged || !found.whole_pages) continue;
    char* const begin = static_cast<char*>(const_cast<void*>(pointer)) - offset;
    const std::lock_guard lock(closed().mutex);
    const auto is_known = [begin](const auto& list) {
      return std::any_of(list.begin(), list.end(),
                         [begin](const auto& one) { return one.begin == begin; });
    };
    if (is_known(closed().all) || is_known(pieces_)) continue;
    if (explain::on)
      pieces_.push_back({begin, found, {}});
    else if (closed().budget.allows(found.bytes / compared_per_unit))
      pieces_.push_back({begin, found, std::vector<char>(begin, begin + found.bytes)});
  }
}

void ManagedWrites::close(const Launch& launch) {
  for (Piece& piece : pieces_) {
    const std::size_t bytes = piece.allocation.bytes;
    const std::size_t page = page_bytes();
    if (!explain::on && std::memcmp(piece.begin, piece.before.data(), bytes) == 0) continue;
    const std::span pages(piece.begin, (bytes + page - 1) / page * page);
    const std::lock_guard lock(closed().mutex);
    closed().all.push_back({pages, piece.begin, piece.allocation, launch.name, launch.at, nullptr,
                            std::move(piece.before)});
    device_arena().close_too(pages);
    any_closed = true;
  }
}

void close_copied(void* to, std::size_t bytes, const void* caller) {
  constexpr std::size_t max_copies = 64;  // each of them is closed and opened with every kernel
  const auto [place, found, offset] = allocations().place(to, bytes);
  if (found.type != cudaMemoryTypeHost || !found.whole_pages || !device_arena().closes()) return;
  // What else lies in a page may be the host's.
  const std::size_t end = offset + bytes;
  const std::size_t page = page_bytes();
  const std::size_t first = (offset + page - 1) / page * page;
  const std::size_t last = (end == found.bytes ? end + page - 1 : end) / page * page;
  if (first >= last) return;
  char* const begin = static_cast<char*>(to) - offset;
  const std::lock_guard lock(closed().mutex);
  auto& all = closed().all;
  if (all.size() >= max_copies) return;
  const std::span pages(begin + first, last - first);
  all.push_back({pages, begin, found, nullptr, {}, caller});
  device_arena().close_too(all.back().pages);
  any_closed = true;
}

void open_closed_memory() {
  if (!any_closed.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(closed().mutex);
  open_all();
}

bool is_closed(const void* begin, std::size_t bytes) {
  if (!any_closed.load(std::memory_order_relaxed)) return false;
  const std::unique_lock lock(closed().mutex, std::try_to_lock);
  return lock.owns_lock() && find(begin, bytes) != nullptr;
}

bool tell_early_access(const void* begin, std::size_t bytes, const void* instruction) {
  const std::unique_lock lock(closed().mutex, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  Closed* const memory = find(begin, bytes);
  if (memory == nullptr) return false;
  const char* const end = static_cast<const char*>(begin) + bytes;
  const char* const from = std::max(end - bytes, static_cast<const char*>(memory->pages.data()));
  open_up_to(*memory, end);  // what it holds is compared
  const char* const wrong = first_written(*memory, from, end);
  if (wrong == nullptr) return true;
  char at[1000];
  write_source_line(instruction, at, sizeof at);
  const std::string place = std::string(at).starts_with(" at ") ? at + 4 : "";
  const auto first = static_cast<std::size_t>(wrong - memory->begin);
  const Allocation& allocation = memory->allocation;
  char element[40] = "";
  if (allocation.element_bytes > 0)
    std::snprintf(element, sizeof element, " (element %zu)", first / allocation.element_bytes);
  std::string writer;
  const char* wait = "cudaDeviceSynchronize()";
  if (memory->kernel != nullptr) {
    writer = std::string("kernel ") + memory->kernel + ", launched at " + text(memory->at) + ",";
  } else {
    char begun[1000];
    write_source_line(static_cast<const char*>(memory->copied_by) - 1, begun, sizeof begun);
    writer = std::string("the asynchronous copy") + begun;
    wait = "cudaStreamSynchronize()";
  }
  report_mistake(place.c_str(),
                 "the host uses byte %zu%s of the %s from %s, which %s may still be "
                 "writing; call %s first",
                 first, element, bytes_text(allocation.bytes).c_str(), allocation.by->name,
                 writer.c_str(), wait);
  open_all();
  return true;
}

}  // namespace emulated
