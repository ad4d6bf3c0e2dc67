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

// Pages that are closed, what was written there, and the last kernel that did so, or the copy.
struct Closed {
  std::span<char> pages, written;
  const char* begin;  // of the allocation
  Allocation allocation;
  const char* kernel;  // nullptr: a copy
  Location at;         // of the kernel's launch
  const void* copied_by = nullptr;
  std::vector<char> before = {};  // what the allocation held then; empty: not known of all of it
};
struct ClosedMemory {
  std::mutex mutex;
  std::vector<Closed> all;  // one for each managed allocation, one for each copy
  Budget budget{100, std::chrono::microseconds(500)};  // of comparing; one kernel runs at a time
};
std::atomic<bool> any_closed = false;
constexpr std::size_t near_beginning = 64;
// Never destroyed: static destructors may launch kernels.
ClosedMemory& closed() {
  static auto& value = *new ClosedMemory;
  return value;
}

// What the kernel that this host thread launches next gets. More are left out.
thread_local constinit std::array<const void*, 32> written = {};
thread_local constinit unsigned written_count = 0;

const Closed* find(const void* begin, std::size_t bytes,
                   std::span<char> Closed::*part = &Closed::pages) {
  const auto* const from = static_cast<const char*>(begin);
  const auto& all = closed().all;
  const auto it = std::find_if(all.rbegin(), all.rend(), [&](const Closed& one) {
    const std::span<char> memory = one.*part;
    return from < memory.data() + memory.size() && memory.data() < from + bytes;
  });
  return it == all.rend() ? nullptr : &*it;
}

void open_all() {
  device_arena().open_too();
  closed().all.clear();
  any_closed = false;
}

std::span<char> span_of_both(std::span<char> a, std::span<char> b) {
  return {std::min(a.data(), b.data()), std::max(a.data() + a.size(), b.data() + b.size())};
}

// Has the kernel changed this element?
bool has_changed(const Closed& memory, std::size_t element) {
  const std::size_t bytes = std::max<std::size_t>(memory.allocation.element_bytes, 1);
  const std::size_t at = element * bytes;
  return at + bytes <= memory.before.size() &&
         std::memcmp(memory.begin + at, memory.before.data() + at, bytes) != 0;
}

// Does the kernel leave every n-th element alone, this one among them?
bool is_left_alone(const Closed& memory, std::size_t element) {
  constexpr std::size_t max_step = 8;
  constexpr std::size_t enough = 4;
  const std::size_t bytes = std::max<std::size_t>(memory.allocation.element_bytes, 1);
  const auto first = static_cast<std::size_t>(memory.written.data() - memory.begin);
  const std::size_t begin = first / bytes;
  const std::size_t end = (first + memory.written.size()) / bytes;
  for (std::size_t step = 2; step <= max_step; ++step) {
    std::size_t count = 0;
    std::size_t changed = 0;
    for (std::size_t i = begin + (element + step - begin % step) % step; i < end; i += step) {
      ++count;
      changed += has_changed(memory, i) ? 1 : 0;
    }
    if (count >= enough && changed == 0) return true;
  }
  return false;
}

// May the host use these bytes while the kernel runs, which has written others? Near the beginning
// elements may have been written and be the same: x[0] = 2 * 0.
bool is_the_hosts_own(const Closed& memory, const char* from, std::size_t bytes) {
  if (memory.before.empty()) return false;
  const std::size_t size = std::max<std::size_t>(memory.allocation.element_bytes, 1);
  const auto first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(from - memory.begin, 0));
  for (std::size_t i = first / size; i * size < first + bytes; ++i)
    if (has_changed(memory, i) || (i * size < near_beginning && !is_left_alone(memory, i)))
      return false;
  return true;
}

void close_pages(std::span<char> changed, char* begin, const Allocation& allocation,
                 const Launch& launch, std::vector<char>&& before) {
  const std::size_t offset = static_cast<std::size_t>(changed.data() - begin);
  const std::size_t page = page_bytes();
  const std::size_t first = offset / page * page;
  const std::size_t last = (offset + changed.size() + page - 1) / page * page;
  const std::span pages(begin + first, last - first);
  const std::lock_guard lock(closed().mutex);
  auto& all = closed().all;
  auto it = std::find_if(all.begin(), all.end(),
                         [begin](const Closed& one) { return one.begin == begin; });
  if (it == all.end())
    it = all.insert(
        all.end(),
        Closed{pages.first(0), changed, begin, allocation, "", {}, nullptr, std::move(before)});
  const std::span<char> both = span_of_both(pages, it->pages);
  if (both.size() != it->pages.size()) device_arena().close_too(both);
  it->pages = both;
  it->written = span_of_both(changed, it->written);
  it->kernel = launch.name;
  it->at = launch.at;
  any_closed = true;
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
  constexpr std::size_t max_compared = 256 << 10;
  constexpr std::size_t max_samples = 256;
  constexpr std::size_t sample_bytes = 64;
  const std::span pointers(written.data(), std::exchange(written_count, 0));
  if (pointers.empty() || !closed().budget.allows()) return;
  const auto before_copying = Budget::Clock::now();
  for (const void* const pointer : pointers) {
    const auto [place, found, offset] = allocations().place(pointer);
    if (found.type != cudaMemoryTypeManaged || !found.whole_pages) continue;
    char* const begin = static_cast<char*>(const_cast<void*>(pointer)) - offset;
    const bool whole = found.bytes <= max_compared;
    Piece piece{begin,
                found,
                whole ? found.bytes : sample_bytes,
                whole ? found.bytes : found.bytes / max_samples / sample_bytes * sample_bytes,
                {}};
    for (std::size_t at = 0; at + piece.sample_bytes <= found.bytes; at += piece.step)
      piece.before.insert(piece.before.end(), begin + at, begin + at + piece.sample_bytes);
    pieces_.push_back(std::move(piece));
  }
  closed().budget.spend(Budget::Clock::now() - before_copying);
}

void ManagedWrites::close(const Launch& launch) {
  if (pieces_.empty()) return;
  const auto before_comparing = Budget::Clock::now();
  for (Piece& piece : pieces_) {
    std::size_t first = piece.allocation.bytes;
    std::size_t last = 0;
    const char* before = piece.before.data();
    for (std::size_t at = 0; at + piece.sample_bytes <= piece.allocation.bytes; at += piece.step) {
      const char* const now = piece.begin + at;
      const auto [own, other] = std::mismatch(now, now + piece.sample_bytes, before);
      if (own != now + piece.sample_bytes) {
        first = std::min(first, at + static_cast<std::size_t>(own - now));
        last = at + piece.sample_bytes;
        while (piece.begin[last - 1] == before[last - at - 1]) --last;
      }
      before += piece.sample_bytes;
    }
    if (last == 0) continue;
    // The first elements may have been written and be the same: x[0] = 2 * 0.
    if (first < near_beginning) first = 0;
    const bool whole = piece.before.size() == piece.allocation.bytes;
    close_pages({piece.begin + first, last - first}, piece.begin, piece.allocation, launch,
                whole ? std::move(piece.before) : std::vector<char>());
  }
  closed().budget.spend(Budget::Clock::now() - before_comparing);
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
  all.push_back({pages, pages, begin, found, nullptr, {}, caller});
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

bool tell_early_access(const void* begin, std::size_t bytes, const char* at) {
  const std::unique_lock lock(closed().mutex, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  if (find(begin, bytes) == nullptr) return false;
  device_arena().open_too();  // what it holds is compared
  const Closed* const memory = find(begin, bytes, &Closed::written);
  if (memory == nullptr || is_the_hosts_own(*memory, static_cast<const char*>(begin), bytes)) {
    open_all();
    return true;
  }
  const std::string place = std::string(at).starts_with(" at ") ? at + 4 : "";
  const auto first = static_cast<std::size_t>(
      std::max<std::ptrdiff_t>(static_cast<const char*>(begin) - memory->begin, 0));
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
                 "the host uses byte %zu%s of the %zu bytes from %s, which %s may still be "
                 "writing; call %s first",
                 first, element, allocation.bytes, allocation.what, writer.c_str(), wait);
  open_all();
  return true;
}

}  // namespace emulated
