#include "arena.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "emulated/explain_hooks.h"
#include "guards.h"
#include "platform/platform.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>

#include <cstdio>
// Declared by AddressSanitizer's library; g++ does not bring its header.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc)(const volatile void*,
                                                                        std::size_t),
                                                         void (*free)(const volatile void*));
#endif

namespace emulated {

namespace {

constexpr std::size_t alignment = 512;
#if defined(__SANITIZE_ADDRESS__)
bool always_closes() { return true; }
#else
bool always_closes() { return explain::on; }
#endif

}  // namespace

DeviceArena& device_arena() {
  static auto& arena = *new DeviceArena;
  return arena;
}

DeviceArena& host_arena() {
  static auto& arena = *new DeviceArena;
  return arena;
}

#if defined(__SANITIZE_ADDRESS__)

namespace {

// AddressSanitizer calls it before memory is freed. What is poisoned is no program's own.
void refuse_free_on_host(const volatile void* freed) {
  const void* const pointer = const_cast<const void*>(freed);
  if (__asan_address_is_poisoned(pointer) == 0 || !device_arena().contains(pointer)) return;
  char at[1000];
  write_source_line(caller_in_program(), at, sizeof at);
  std::fprintf(
      stderr, "error: the host frees device memory%s, as free() and delete do; use cudaFree\n", at);
  std::_Exit(1);
}

}  // namespace

// AddressSanitizer's own memory, whose end is exact to the byte; closed means poisoned.
void* DeviceArena::allocate(std::size_t bytes, std::size_t& capacity) {
  static const int noted = __sanitizer_install_malloc_and_free_hooks(
      [](const volatile void*, std::size_t) {}, refuse_free_on_host);
  static_cast<void>(noted);
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, bytes) != 0) return nullptr;
  const std::lock_guard lock(mutex_);
  chunks_[static_cast<char*>(memory)].bytes = capacity = bytes;
  begin_ =
      begin_ == nullptr ? static_cast<char*>(memory) : std::min(begin_, static_cast<char*>(memory));
  end_ = std::max(end_, static_cast<char*>(memory) + bytes);
  return memory;
}

void DeviceArena::release(void* pointer, std::size_t) {
  const std::lock_guard lock(mutex_);
  chunks_.erase(static_cast<char*>(pointer));
  std::free(pointer);
}

bool DeviceArena::contains(const void* pointer) const {
  const std::lock_guard lock(mutex_);
  const auto after = chunks_.upper_bound(static_cast<char*>(const_cast<void*>(pointer)));
  if (after != chunks_.begin()) {
    const auto& [begin, chunk] = *std::prev(after);
    if (static_cast<const char*>(pointer) < begin + chunk.bytes) return true;
  }
  // Freed? What is no pointer at all may lie where AddressSanitizer has no notes to look at.
  return pointer >= begin_ && pointer < end_ && __asan_address_is_poisoned(pointer) != 0;
}

void DeviceArena::set_access(bool accessible) {
  const auto change = accessible ? __asan_unpoison_memory_region : __asan_poison_memory_region;
  for (const auto& [begin, chunk] : chunks_) change(begin, chunk.bytes);
  accessible_ = accessible;
}

#else

namespace {

constexpr std::size_t unit =
    2 << 20;  // a large page: one entry of the page table, quick to protect
constexpr std::size_t small_max = 1 << 20;
// So many units in front of all allocations stay empty, 64 GiB: an index that has wrapped around
// comes there, as p[-1673592827], and to no other memory of the program.
constexpr std::size_t empty_units = 1 << 15;
// Addresses of what was freed are used again only then, so that an access to them is known as such.
constexpr std::size_t reused_after = empty_units + (1 << 16);  // units: 128 GiB
// With the pack explain each allocation is a piece of its own, as long as there are not many, and
// far from the next: an access that goes astray comes to no other.
constexpr std::size_t max_pieces = 4096;

std::size_t round_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}
// One more than is needed stays without memory: an access far beyond the end faults.
std::size_t units_for(std::size_t bytes) {
  return round_up(bytes, unit) / unit + (explain::on ? 16 : 1);
}

using Ranges = std::map<std::size_t, std::size_t>;  // first and length of what is not in use

// Inserts a free range and joins it with its neighbors.
void insert_range(Ranges& ranges, std::size_t first, std::size_t length) {
  auto it = ranges.emplace(first, length).first;
  if (const auto next = std::next(it); next != ranges.end() && first + length == next->first) {
    it->second += next->second;
    ranges.erase(next);
  }
  if (it == ranges.begin()) return;
  if (const auto before = std::prev(it); before->first + before->second == it->first) {
    before->second += it->second;
    ranges.erase(it);
  }
}

// Takes the first free range of this length that begins at `from` or later.
std::optional<std::size_t> take_range(Ranges& ranges, std::size_t length, std::size_t from = 0) {
  auto it = ranges.upper_bound(from);
  if (it != ranges.begin()) --it;
  for (; it != ranges.end(); ++it) {
    const auto [begin, has] = *it;
    const std::size_t end = begin + has;
    const std::size_t first = std::max(begin, from);
    if (end < first + length) continue;
    ranges.erase(it);
    if (first > begin) ranges[begin] = first - begin;
    if (end > first + length) ranges[first + length] = end - first - length;
    return first;
  }
  return std::nullopt;
}

}  // namespace

// Takes a range of addresses, without memory: sixteen times what a large machine has, less where
// the process may not have that many addresses.
void DeviceArena::reserve() {
  for (std::size_t bytes = std::size_t{1} << 44; bytes >= unit * 64; bytes /= 2) {
    void* range = reserve_addresses(bytes);
    if (range == nullptr) continue;
    const auto address = reinterpret_cast<std::uintptr_t>(range);
    begin_ = static_cast<char*>(range) + (round_up(address, unit) - address);
    end_ = static_cast<char*>(range) + bytes;
    // What precedes an allocation belongs to the range, too, and is explained when free() looks
    // there for its own notes. Where addresses are few, one unit is enough.
    const std::size_t units = static_cast<std::size_t>(end_ - begin_) / unit;
    const std::size_t first = units > 16 * empty_units ? empty_units : 1;
    free_units_[first] = units - first;
    return;
  }
}

char* DeviceArena::take_units(std::size_t count) {
  if (begin_ == nullptr) reserve();
  auto first = take_range(free_units_, count, next_unit_);
  if (!first) first = take_range(free_units_, count);
  if (!first) return nullptr;
  next_unit_ = *first + count < reused_after ? *first + count : 0;
  return begin_ + *first * unit;
}

DeviceArena::Chunks::iterator DeviceArena::add_chunk(std::size_t bytes, bool slab) {
  char* begin = take_units(units_for(bytes));
  if (begin == nullptr) return chunks_.end();
  const auto chunk = chunks_.emplace(begin, Chunk{bytes, {}, slab}).first;
  if (slab) chunk->second.free[0] = bytes;
  if (!emulated::set_access(begin, bytes, true)) {
    remove_chunk(chunk);
    return chunks_.end();
  }
  prefer_large_pages(begin, bytes);
  return chunk;
}

void DeviceArena::remove_chunk(Chunks::iterator chunk) {
  const auto& [begin, description] = *chunk;
  if (!drop_memory(begin, description.bytes)) return;  // then they are not given out again
  insert_range(free_units_, static_cast<std::size_t>(begin - begin_) / unit,
               units_for(description.bytes));
  chunks_.erase(chunk);
}

void* DeviceArena::allocate(std::size_t bytes, std::size_t& capacity) {
  const std::lock_guard lock(mutex_);
  if (bytes > small_max || (explain::on && chunks_.size() < max_pieces)) {
    capacity = round_up(bytes + min_guard_bytes, page_bytes());
    const auto chunk = add_chunk(capacity, false);
    return chunk == chunks_.end() ? nullptr : chunk->first;
  }
  capacity = round_up(bytes + min_guard_bytes, alignment);
  const auto take = [&capacity](Chunks::iterator chunk) -> char* {
    const auto offset = take_range(chunk->second.free, capacity);
    return offset ? chunk->first + *offset : nullptr;
  };
  for (auto chunk = chunks_.begin(); chunk != chunks_.end(); ++chunk)
    if (chunk->second.slab)
      if (char* memory = take(chunk)) return memory;
  const auto chunk = add_chunk(unit, true);
  return chunk == chunks_.end() ? nullptr : take(chunk);
}

void DeviceArena::release(void* pointer, std::size_t capacity) {
  const std::lock_guard lock(mutex_);
  const auto chunk = std::prev(chunks_.upper_bound(static_cast<char*>(pointer)));
  if (chunk->second.slab) {
    insert_range(chunk->second.free,
                 static_cast<std::size_t>(static_cast<char*>(pointer) - chunk->first), capacity);
    if (chunk->second.free.begin()->second < chunk->second.bytes) return;
    // One slab stays: a program that allocates and frees in turns would
    // pay for its pages each time.
    const auto is_slab = [](const auto& other) { return other.second.slab; };
    if (std::count_if(chunks_.begin(), chunks_.end(), is_slab) == 1) return;
  }
  remove_chunk(chunk);
}

bool DeviceArena::contains(const void* pointer) const {
  return pointer >= begin_ && pointer < end_;  // which never change once there is device memory
}

void DeviceArena::set_access(bool accessible) {
  for (const auto& [begin, chunk] : chunks_) emulated::set_access(begin, chunk.bytes, accessible);
  for (const std::span<char> memory : closed_too_)
    emulated::set_access(memory.data(), memory.size(), accessible);
  accessible_ = accessible;
}

#endif

void DeviceArena::close_too(std::span<char> memory) {
  const std::lock_guard lock(mutex_);
  closed_too_.push_back(memory);
}

void DeviceArena::open_too() {
  const std::lock_guard lock(mutex_);
  if (!accessible_)
    for (const std::span<char> memory : closed_too_)
      emulated::set_access(memory.data(), memory.size(), true);
  closed_too_.clear();
}

void DeviceArena::open_too(std::span<char> pages) {
  const std::lock_guard lock(mutex_);
  for (std::span<char>& memory : closed_too_) {
    if (memory.data() != pages.data()) continue;
    if (!accessible_) emulated::set_access(pages.data(), pages.size(), true);
    memory = memory.subspan(pages.size());
  }
}

void DeviceArena::open() {
  const std::lock_guard lock(mutex_);
  if (users_++ == 0 && !accessible_) set_access(true);
}

void DeviceArena::close() {
  const std::lock_guard lock(mutex_);
  if (--users_ > 0) return;
  closes_.store(
      always_closes() || budget_.allows(closing_work * (chunks_.size() + closed_too_.size())),
      std::memory_order_relaxed);
  if (!closes_) return;
  set_access(false);
}

}  // namespace emulated
