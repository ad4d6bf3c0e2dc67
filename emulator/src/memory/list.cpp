#include "list.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>

#include "arena.h"
#include "device/device.h"
#include "device/limits.h"
#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"
#include "launch/settings.h"
#include "platform/machine_memory.h"
#include "platform/platform.h"

namespace emulated {

namespace {

// AddressSanitizer sees the first byte after an allocation itself.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t host_guard_bytes = 0;
#else
constexpr std::size_t host_guard_bytes = min_guard_bytes;
#endif

// So many pieces of managed and pinned memory have whole pages: many small
// pieces would waste too much.
constexpr unsigned max_whole_pages = 64;
constexpr std::size_t max_freed_by_arguments = 1000;

// Memory that the host may touch, too. Large blocks start at a large page.
void* allocate_for_host(std::size_t bytes, std::size_t& capacity, bool whole_pages) {
  if (explain::on) return host_arena().allocate(bytes, capacity);
  constexpr std::size_t large = 4 << 20;
  constexpr std::size_t large_page = 2 << 20;
  capacity = bytes + host_guard_bytes;
  const std::size_t page = page_bytes();
  if (whole_pages) capacity = (capacity + page - 1) / page * page;
  std::size_t alignment = 512;
  if (whole_pages) alignment = page;
  if (bytes >= large) alignment = large_page;
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, capacity) != 0) return nullptr;
  if (bytes >= large) prefer_large_pages(memory, bytes);
  return memory;
}

}  // namespace

thread_local constinit const void* volatile storing_at = nullptr;

Allocations& allocations() {
  static auto& list = []() -> Allocations& {
    report_mistakes_at_end([] { allocations().look_at_guards(); });
    report_at_end([] { allocations().report(); });
    return *new Allocations;
  }();
  return list;
}

unsigned reported_errors() {
  allocations().look_at_guards();
  return error_count();
}

bool reported_warnings() { return has_warned(); }

void note_wrong(const void* element, std::size_t bytes) { explain::wrong_element(element, bytes); }

Counted counted(const char* kind) { return explain::counted(kind); }

Launched last_launch() { return allocations().last_launch(); }

std::size_t unfreed_allocations() { return allocations().unfreed(); }

std::size_t Allocations::unfreed() {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(list_.begin(), list_.end(), [](const auto& one) { return one.second.owned; }));
}

// Can the machine give this much? Small requests are added up: asking takes longer than they do.
bool Allocations::fits(std::size_t bytes) { return bytes <= machine_memory().free; }

cudaError_t Allocations::allocate(void** pointer, std::size_t bytes, const Allocator& by) {
  constexpr std::size_t asks_every = 16 << 20;
  storing_at = pointer;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  *pointer = nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  storing_at = nullptr;
  if (bytes == 0) return cudaSuccess;
  const std::lock_guard lock(mutex_);
  if (bytes >= asks_every || unchecked_ + bytes >= asks_every) {
    if (!fits(bytes)) {
      because("%zu bytes were requested, and %zu are free", bytes, machine_memory().free);
      return cudaErrorMemoryAllocation;
    }
    unchecked_ = 0;
  }
  unchecked_ += std::min(bytes, asks_every);
  const DeviceAccess access;
  std::size_t capacity = 0;
  const bool managed = by.type == cudaMemoryTypeManaged;
  void* memory = by.type == cudaMemoryTypeDevice
                     ? device_arena().allocate(bytes, capacity)
                     : allocate_for_host(bytes, capacity, of_whole_pages_ < max_whole_pages);
  if (memory == nullptr) return cudaErrorMemoryAllocation;
  std::memset(memory, managed ? 0 : unwritten, bytes);
  if (managed) ++managed_;
  const bool whole_pages =
      by.type != cudaMemoryTypeDevice && host_guard_bytes > 0 &&
      (reinterpret_cast<std::uintptr_t>(memory) | capacity) % page_bytes() == 0;
  if (whole_pages) ++of_whole_pages_;
  const Guard guard(static_cast<char*>(memory) + bytes,
                    std::min(capacity - bytes, max_guard_bytes));
  list_[static_cast<const char*>(memory)] = {
      bytes, capacity, by.type, &by, true, current_device(), whole_pages, guard, pointer};
  freed_by_arguments_.erase(memory);
  explain::memory_begins(memory, bytes, by);
  *pointer = memory;
  return cudaSuccess;
}

// Reports, once, bytes that were written past the end of the allocation.
void Allocations::look_behind(List::const_iterator it) const {
  const auto& [begin, allocation] = *it;
  const Guard::Damage damage = allocation.guard.damage();
  if (damage.first == damage.last) return;
  allocation.guard.restore();

  std::string who = "something";
  if (launches_ > 0) who = std::string("kernel ") + kernel_.load();
  if (launches_ > 1)
    who += ", or one of the " + std::to_string(launches_ - 1) + " launches before it,";
  if (allocation.type != cudaMemoryTypeDevice)
    who = launches_ == 0 ? "the host" : who + " or the host";

  // Bytes that were written with what stood there are not seen, but
  // elements are written as a whole.
  const std::size_t element = std::max<std::size_t>(allocation.element_bytes, 1);
  const std::size_t bytes = allocation.bytes;
  const std::size_t first = std::max(bytes, (bytes + damage.first) / element * element);
  const std::size_t last = (bytes + damage.last + element - 1) / element * element;
  const bool to_the_end = damage.last == allocation.guard.bytes();
  std::string elements;
  if (allocation.element_bytes > 0)
    elements = " (element " + std::to_string(first / element) + " of " +
               std::to_string(bytes / element) + ")";

  // It may belong to the next allocation, before its beginning, if it is nearer to that. The last
  // bytes of a number often stay what they were.
  constexpr std::size_t number_bytes = 16;
  const std::size_t after_it = allocation.guard.bytes() - damage.last;
  const bool from_there = damage.first > after_it || (!to_the_end && after_it < number_bytes);
  std::string before;
  if (const auto next = std::next(it);
      from_there && next != list_.end() && next->first == begin + allocation.capacity)
    before = ", or before the beginning of the " + bytes_text(next->second.bytes) + " from " +
             next->second.by->name;
  report_mistake(launches_ > 0 ? text(launched_at_.load()).c_str() : "",
                 "%s wrote beyond the end of the %s at %p from %s%s: %s%s, from byte %zu%s on%s",
                 who.c_str(), bytes_text(bytes).c_str(), static_cast<const void*>(begin),
                 allocation.by->name, before.c_str(), to_the_end ? "at least " : "",
                 bytes_text(last - first).c_str(), first, elements.c_str(),
                 allocation.by->is_pitched ? "; its pitch counts bytes" : "");
}

void Allocations::look_behind_each() {
  for (auto it = list_.cbegin(); it != list_.cend(); ++it) look_behind(it);
  launches_ = 0;
}

void Allocations::look_at_guards() {
  const std::lock_guard lock(mutex_);
  const DeviceAccess access;
  look_behind_each();
}

void Allocations::kernel_ended(const Launch& launch) {
  last_blocks_.store(1ull * launch.grid.x * launch.grid.y * launch.grid.z,
                     std::memory_order_relaxed);
  last_threads_.store(launch.block.x * launch.block.y * launch.block.z, std::memory_order_relaxed);
  kernel_.store(launch.name, std::memory_order_relaxed);
  launched_at_.store(launch.at, std::memory_order_relaxed);
  launches_.store(launches_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (!explain::on && !budget_.allows(latest_work_)) return;
  const std::lock_guard lock(mutex_);
  latest_work_ = guard_work * list_.size();
  look_behind_each();
}

void Allocations::free_memory(List::const_iterator it) {
  const auto& [begin, allocation] = *it;
  if (allocation.type == cudaMemoryTypeManaged) --managed_;
  if (allocation.whole_pages) --of_whole_pages_;
  const DeviceAccess access;
  look_behind(it);
  auto* memory = const_cast<char*>(begin);
  orphan_textures(memory, allocation.bytes);
  // What still reads it gets no right result. (Large pieces lose their pages,
  // and an access to them faults.)
  std::memset(memory, unwritten, allocation.bytes);
  explain::memory_ends(memory);
  if (allocation.type == cudaMemoryTypeDevice)
    device_arena().release(memory, allocation.capacity);
  else if (explain::on)
    host_arena().release(memory, allocation.capacity);
  else
    std::free(memory);
}

void Allocations::because_not_freed(const void* pointer, List::const_iterator it) const {
  if (it == list_.end()) {
    if (device_arena().contains(pointer)) {
      const std::string where = explain::freed_text(pointer);
      std::string by;
      if (const auto freed = freed_by_arguments_.find(pointer); freed != freed_by_arguments_.end())
        by = ", by the destructor of an argument that kernel " + std::string(freed->second.kernel) +
             " in line " + std::to_string(freed->second.at.line()) + " gets by value";
      because("%p was freed before%s%s", pointer, where.empty() ? "" : (" " + where).c_str(),
              by.c_str());
    } else {
      because(
          "no call of CUDA allocated %p; free memory from malloc() or new where it was allocated, "
          "on the host or in a kernel, with free() or delete",
          pointer);
    }
  } else if (it->first != pointer) {
    because("%p is byte %td of the %s from %s, not their beginning", pointer,
            static_cast<const char*>(pointer) - it->first, bytes_text(it->second.bytes).c_str(),
            it->second.by->name);
  } else if (!it->second.owned) {
    because("%p is %s, which is not freed", pointer, it->second.by->name);
  } else {
    because("%p comes from %s; %s frees it", pointer, it->second.by->name,
            it->second.type == cudaMemoryTypeHost ? "cudaFreeHost" : "cudaFree");
  }
}

cudaError_t Allocations::release(void* pointer, bool host) {
  if (pointer == nullptr) return cudaSuccess;
  const std::lock_guard lock(mutex_);
  const auto it = list_.find(static_cast<const char*>(pointer));
  if (it == list_.end() || !it->second.owned || (it->second.type == cudaMemoryTypeHost) != host) {
    because_not_freed(pointer, it == list_.end() ? find(pointer) : it);
    return cudaErrorInvalidValue;
  }
  if (launch_that_ends.kernel != nullptr && freed_by_arguments_.size() < max_freed_by_arguments)
    freed_by_arguments_.insert_or_assign(pointer, launch_that_ends);
  free_memory(it);
  list_.erase(it);
  return cudaSuccess;
}

void Allocations::release_device_memory(int device) {
  const std::lock_guard lock(mutex_);
  const DeviceAccess access;  // once for all
  for (auto it = list_.cbegin(); it != list_.cend();) {
    const Allocation& allocation = it->second;
    const bool goes =
        allocation.owned && allocation.type != cudaMemoryTypeHost && allocation.device == device;
    if (goes) free_memory(it);
    it = goes ? list_.erase(it) : std::next(it);
  }
}

cudaError_t Allocations::add_foreign(const void* pointer, std::size_t bytes, const Allocator& by) {
  const std::lock_guard lock(mutex_);
  const auto [it, fresh] =
      list_.try_emplace(static_cast<const char*>(pointer),
                        Allocation{bytes, bytes, by.type, &by, false, current_device()});
  if (!fresh && it->second.bytes < bytes) it->second.bytes = it->second.capacity = bytes;
  if (by.type == cudaMemoryTypeHost) explain::memory_begins(pointer, bytes, by);
  return fresh ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
}

cudaError_t Allocations::remove_foreign(const void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto it = list_.find(static_cast<const char*>(pointer));
  if (it == list_.end() || it->second.owned) return cudaErrorHostMemoryNotRegistered;
  explain::memory_ends(pointer);
  list_.erase(it);
  return cudaSuccess;
}

// The allocation that holds the address, or the list's end.
Allocations::List::iterator Allocations::find(const void* pointer) {
  const auto* address = static_cast<const char*>(pointer);
  const auto after = list_.upper_bound(address);
  if (after == list_.begin()) return list_.end();
  const auto it = std::prev(after);
  return address < it->first + it->second.bytes ? it : list_.end();
}

// Each device has a variable of its own at its address.
static Allocation on_this_device(Allocation found) {
  if (!found.owned && found.type == cudaMemoryTypeDevice) found.device = current_device();
  return found;
}

Allocations::Found Allocations::place(const void* pointer, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto it = find(pointer);
  if (it == list_.end()) return {};
  const Allocation found = on_this_device(it->second);
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(pointer) - it->first);
  return {bytes <= found.bytes - offset ? Place::inside : Place::crosses_end, found, offset};
}

Allocation Allocations::argument(const void* pointer, std::size_t element_bytes,
                                 const unsigned char* padding) {
  const std::lock_guard lock(mutex_);
  const auto it = find(pointer);
  if (it == list_.end()) return {};
  if (element_bytes > 0) {
    it->second.element_bytes = element_bytes;
    it->second.padding = padding;
    explain::memory_used_as(it->first, element_bytes);
  }
  return on_this_device(it->second);
}

const char* Allocations::stored_at(const void* place) {
  const std::lock_guard lock(mutex_);
  for (const auto& [begin, allocation] : list_)
    if (allocation.stored_at == place) return allocation.by->name;
  return nullptr;
}

bool Allocations::ends_at(const void* pointer) {
  const auto* address = static_cast<const char*>(pointer);
  const std::lock_guard lock(mutex_);
  const auto after = list_.lower_bound(address);
  return after != list_.begin() &&
         std::prev(after)->first + std::prev(after)->second.bytes == address;
}

bool Allocations::explain_host_access(const void* address, const char* at) {
  const bool on_device = device_arena().contains(address);
  if (!on_device && !host_arena().contains(address)) return false;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  const auto it = find(address);
  count_error();
  constexpr std::ptrdiff_t allocator_notes =
      16;  // what the C library keeps before memory of its own
  const auto after = find(static_cast<const char*>(address) + allocator_notes);
  if (!on_device && it == list_.end() && after != list_.end()) {
    std::fprintf(stderr,
                 "error: free() or delete gets memory from %s%s, or the host writes before it; "
                 "%s frees it\n",
                 after->second.by->name, at,
                 after->second.type == cudaMemoryTypeHost ? "cudaFreeHost" : "cudaFree");
  } else if (!on_device) {
    std::fprintf(stderr,
                 "error: the host accesses %p%s, beyond or before pinned or managed memory, or "
                 "where some was freed\n",
                 address, at);
  } else if (it == list_.end() && after != list_.end()) {
    std::fprintf(stderr,
                 "error: the host accesses the bytes before device memory%s, as free() and delete "
                 "do; use cudaFree\n",
                 at);
  } else if (it == list_.end()) {
    std::fprintf(stderr, "error: the host accesses device memory that is not allocated, %p%s\n",
                 address, at);
  } else {
    std::fprintf(stderr,
                 "error: the host accesses device memory%s: byte %td of the %s from %s; use "
                 "cudaMemcpy\n",
                 at, static_cast<const char*>(address) - it->first,
                 bytes_text(it->second.bytes).c_str(), it->second.by->name);
  }
  return true;
}

void Allocations::report() {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  std::size_t bytes = 0;
  for (const auto& [address, allocation] : list_) {
    if (!allocation.owned) continue;
    ++count;
    bytes += allocation.bytes;
    if (!settings().check_leaks) continue;
    std::fprintf(stderr, "leak: %s at %p from %s, never freed\n",
                 bytes_text(allocation.bytes).c_str(), static_cast<const void*>(address),
                 allocation.by->name);
  }
  if (count > 0 && settings().check_leaks)
    std::fprintf(stderr, "leak: %zu allocation%s with %zu bytes in all, never freed\n", count,
                 count == 1 ? "" : "s", bytes);
  else if (count > 0 && explain::on &&
           sticky_error() == cudaSuccess)  // after a fault nothing can be freed
    std::fprintf(
        stderr,
        "\nexplain: note: %zu allocation%s with %zu bytes of memory in all %s never freed; "
        "EMULATED_CHECK_LEAKS=1 lists them\n",
        count, count == 1 ? "" : "s", bytes, count == 1 ? "was" : "were");
}

}  // namespace emulated
