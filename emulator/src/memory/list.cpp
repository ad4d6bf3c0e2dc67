#include "list.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "arena.h"
#include "device/device.h"
#include "device/limits.h"
#include "launch/settings.h"
#include "platform/machine_memory.h"
#include "platform/platform.h"

namespace emulated {

namespace {

// AddressSanitizer sees the first byte behind an allocation itself.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t host_canary_bytes = 0;
#else
constexpr std::size_t host_canary_bytes = min_canary_bytes;
#endif

// Memory that the host may touch, too. Large blocks start at a large page.
void* allocate_for_host(std::size_t bytes, std::size_t& capacity) {
  constexpr std::size_t large = 4 << 20, large_page = 2 << 20;
  capacity = bytes + host_canary_bytes;
  void* memory = nullptr;
  if (posix_memalign(&memory, bytes >= large ? large_page : 512, capacity) != 0) return nullptr;
  if (bytes >= large) prefer_large_pages(memory, bytes);
  return memory;
}

}  // namespace

Allocations& allocations() {
  static auto& list = *new Allocations;
  return list;
}

// Runs after all static destructors.
[[gnu::destructor(101)]] static void report_at_exit() { allocations().report(); }

// Can the machine give this much? Small requests are added up: asking takes longer than they do.
bool Allocations::fits(std::size_t bytes) { return bytes <= machine_memory().free; }

cudaError_t Allocations::allocate(void** pointer, std::size_t bytes, cudaMemoryType type, const char* what) {
  constexpr std::size_t asks_every = 16 << 20;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const std::lock_guard lock(mutex_);
  if (bytes >= asks_every || unchecked_ + bytes >= asks_every) {
    if (!fits(bytes)) return cudaErrorMemoryAllocation;
    unchecked_ = 0;
  }
  unchecked_ += std::min(bytes, asks_every);
  const DeviceAccess access;
  std::size_t capacity = 0;
  void* memory = type == cudaMemoryTypeDevice ? device_arena().allocate(bytes, capacity)
                                              : allocate_for_host(bytes, capacity);
  if (memory == nullptr) return cudaErrorMemoryAllocation;
  std::memset(memory, type == cudaMemoryTypeManaged ? 0 : unwritten, bytes);
  std::memset(static_cast<char*>(memory) + bytes, canary, capacity - bytes);
  list_[static_cast<const char*>(memory)] = {bytes, capacity, type, what, true, current_device()};
  *pointer = memory;
  return cudaSuccess;
}

void Allocations::check_canary(const char* begin, const Allocation& allocation, const char* when) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(begin);
  const auto *from = bytes + allocation.bytes, *to = bytes + allocation.capacity;
  const auto* first = std::find_if(from, to, [](unsigned char byte) { return byte != canary; });
  if (first == to) return;
  std::fprintf(
      stderr,
      "error: something wrote behind the end of the %zu bytes at %p from %s, at byte %td first (seen "
      "%s)\n",
      allocation.bytes, static_cast<const void*>(begin), allocation.what, first - bytes, when);
}

void Allocations::free_memory(const char* begin, const Allocation& allocation, const char* when) {
  const DeviceAccess access;
  check_canary(begin, allocation, when);
  auto* memory = const_cast<char*>(begin);
  orphan_textures(memory, allocation.bytes);
  // What still reads it gets no right result. (Large pieces lose their pages, and an access to them faults.)
  std::memset(memory, unwritten, allocation.bytes);
  if (allocation.type == cudaMemoryTypeDevice)
    device_arena().release(memory, allocation.capacity);
  else
    std::free(memory);
}

cudaError_t Allocations::release(void* pointer, bool host) {
  if (pointer == nullptr) return cudaSuccess;
  const std::lock_guard lock(mutex_);
  const auto it = list_.find(static_cast<const char*>(pointer));
  if (it == list_.end() || !it->second.owned || (it->second.type == cudaMemoryTypeHost) != host)
    return cudaErrorInvalidValue;
  free_memory(it->first, it->second, "when it was freed");
  list_.erase(it);
  return cudaSuccess;
}

void Allocations::release_device_memory(int device) {
  const std::lock_guard lock(mutex_);
  const DeviceAccess access;  // once for all
  std::erase_if(list_, [device](const auto& entry) {
    const auto& [begin, allocation] = entry;
    if (!allocation.owned || allocation.type == cudaMemoryTypeHost || allocation.device != device)
      return false;
    free_memory(begin, allocation, "when the device was reset");
    return true;
  });
}

cudaError_t Allocations::add_foreign(const void* pointer, std::size_t bytes, cudaMemoryType type,
                                     const char* what) {
  const std::lock_guard lock(mutex_);
  const auto [it, fresh] = list_.try_emplace(static_cast<const char*>(pointer),
                                             Allocation{bytes, bytes, type, what, false, current_device()});
  if (!fresh && it->second.bytes < bytes) it->second.bytes = it->second.capacity = bytes;
  return fresh ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
}

cudaError_t Allocations::remove_foreign(const void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto it = list_.find(static_cast<const char*>(pointer));
  if (it == list_.end() || it->second.owned) return cudaErrorHostMemoryNotRegistered;
  list_.erase(it);
  return cudaSuccess;
}

// The allocation that holds the address, or the list's end.
Allocations::List::const_iterator Allocations::find(const void* pointer) const {
  const auto* address = static_cast<const char*>(pointer);
  const auto after = list_.upper_bound(address);
  if (after == list_.begin()) return list_.end();
  const auto it = std::prev(after);
  return address < it->first + it->second.bytes ? it : list_.end();
}

Allocations::Found Allocations::place(const void* pointer, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto it = find(pointer);
  if (it == list_.end()) return {};
  Allocation found = it->second;
  if (!found.owned && found.type == cudaMemoryTypeDevice)
    found.device = current_device();  // each has the variable
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(pointer) - it->first);
  return {bytes <= found.bytes - offset ? Place::inside : Place::crosses_end, found};
}

bool Allocations::ends_at(const void* pointer) {
  const auto* address = static_cast<const char*>(pointer);
  const std::lock_guard lock(mutex_);
  const auto after = list_.lower_bound(address);
  return after != list_.begin() && std::prev(after)->first + std::prev(after)->second.bytes == address;
}

bool Allocations::explain_host_access(const void* address, const char* at) {
  if (!device_arena().contains(address)) return false;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  const auto it = find(address);
  constexpr std::ptrdiff_t allocator_notes = 16;  // what the C library keeps before memory of its own
  if (it == list_.end() && find(static_cast<const char*>(address) + allocator_notes) != list_.end()) {
    std::fprintf(
        stderr,
        "error: the host accesses the bytes before device memory%s, as free() and delete do; use cudaFree\n",
        at);
  } else if (it == list_.end()) {
    std::fprintf(stderr, "error: the host accesses device memory that is not allocated, %p%s\n", address, at);
  } else {
    std::fprintf(
        stderr,
        "error: the host accesses device memory%s: byte %td of the %zu bytes from %s; use cudaMemcpy\n", at,
        static_cast<const char*>(address) - it->first, it->second.bytes, it->second.what);
  }
  return true;
}

void Allocations::report() {
  const std::lock_guard lock(mutex_);
  const DeviceAccess access;
  std::size_t count = 0, bytes = 0;
  for (const auto& [address, allocation] : list_) {
    if (!allocation.owned) continue;
    check_canary(address, allocation, "at the end of the program");
    if (!settings().check_leaks) continue;
    ++count;
    bytes += allocation.bytes;
    std::fprintf(stderr, "leak: %zu bytes at %p from %s were never freed\n", allocation.bytes,
                 static_cast<const void*>(address), allocation.what);
  }
  if (count > 0)
    std::fprintf(stderr, "leak: %zu allocations with %zu bytes in all were never freed\n", count, bytes);
}

}  // namespace emulated
