// Host memory that kernels must not get: what the runtime can see of it
// without help from the hardware.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arena.h"
#include "device/device.h"
#include "diagnosis/diagnosis.h"
#include "emulated/arguments.h"
#include "emulated/explain_hooks.h"
#include "heap.h"
#include "host.h"
#include "launch/declarations.h"
#include "launch/running.h"
#include "list.h"
#include "platform/platform.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace emulated {

namespace {

// Is the address surely the host's? What is known, was device memory, comes from malloc() in a
// kernel, may be a __device__ variable, or is not there at all is not.
bool is_the_hosts(const void* pointer, const Allocation& found) {
  return found.type == cudaMemoryTypeUnregistered && !allocations().ends_at(pointer) &&
         !device_arena().contains(pointer) && !is_in_heap(pointer) &&
         !(image_at(pointer) != Image::none && is_in_variable(pointer)) && is_mapped(pointer);
}

// The first pointer to host memory among the words of an object, from byte `at` on, and where;
// functions are for both sides. `least`: what lies below are numbers. Nor are the bits of floats
// addresses.
struct HostPointer {
  const void* pointer = nullptr;
  std::size_t at = 0;
};
HostPointer find_host_pointer(const void* object, std::size_t bytes, std::uintptr_t least,
                              std::size_t at = 0) {
  constexpr std::uintptr_t beyond = std::uintptr_t{1} << 56;
  for (; at + sizeof(void*) <= bytes; at += sizeof(void*)) {
    const void* pointer = nullptr;
    std::memcpy(&pointer, static_cast<const char*>(object) + at, sizeof pointer);
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (address < least || address >= beyond) continue;
    if (is_host_memory(pointer)) return {pointer, at};
  }
  return {};
}

constexpr const char* virtual_functions =
    "which has virtual functions: they are the host's, and a GPU cannot call them; make the object "
    "in a kernel";

// ---- pointers that copies have brought ----
struct CopiedPointer {
  const char* at;  // in device memory
  const void* pointer;
  bool said = false;  // that it begins an object with virtual functions
};
struct CopiedPointers {
  std::mutex mutex;
  std::vector<CopiedPointer> all;
  std::vector<std::span<char>> forbidden;  // what they point to, poisoned while a kernel runs
};
// Never destroyed: static destructors may launch kernels.
CopiedPointers& copied() {
  static auto& value = *new CopiedPointers;
  return value;
}
std::atomic<bool> any_copied = false;  // most programs have none

// The kernel takes for a table of pointers what begins with one of the host's.
void warn_of_table(const void* table, const Argument& argument) {
  if (!any_copied.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(copied().mutex);
  for (const CopiedPointer& one : copied().all) {
    if (one.at != table) continue;
    const DeviceAccess access;
    if (std::memcmp(one.at, &one.pointer, sizeof one.pointer) != 0) continue;  // another is there
    char sentence[400];
    std::snprintf(sentence, sizeof sentence,
                  "kernel %.100s: argument %u is a table of pointers. The first one points to host "
                  "memory (%p), which a GPU cannot read: copy what it points to, too",
                  argument.kernel, argument.position, one.pointer);
    return warn_once(text(argument.at), sentence);
  }
}

}  // namespace

thread_local constinit unsigned null_argument = 0;

bool is_host_memory(const void* pointer) {
  return is_the_hosts(pointer, allocations().place(pointer).allocation) &&
         image_at(pointer) != Image::code;
}

bool device_can_use(const void* pointer, const Argument& argument) {
  if (pointer == nullptr) {
    if (null_argument == 0) null_argument = argument.position;
    return true;
  }
  const Allocation found =
      allocations().argument(pointer, argument.element_bytes, argument.padding);
  const bool peers = found.type == cudaMemoryTypeDevice && found.device != current_device();
  if (peers ? has_access(current_device(), found.device) : !is_the_hosts(pointer, found)) {
    if (argument.of_pointers) warn_of_table(pointer, argument);
    return true;
  }
  char what[300];
  if (peers)
    std::snprintf(what, sizeof what,
                  "points to memory of device %d, to which device %d has no access; call "
                  "cudaDeviceEnablePeerAccess",
                  found.device, current_device());
  else if (const DeviceVariable* variable = variable_of_host_copy(pointer))
    std::snprintf(what, sizeof what,
                  "is the host's own copy of %.100s; cudaGetSymbolAddress returns the address of "
                  "the device's variable",
                  variable->name.c_str());
  else
    std::snprintf(what, sizeof what,
                  "points to host memory (%p), which a GPU cannot access; copy it with cudaMemcpy",
                  pointer);
  const char* const call = peers ? nullptr : allocations().stored_at(pointer);
  if (call != nullptr && argument.of_pointers)
    std::snprintf(what, sizeof what,
                  "points to a table in host memory (%p), where %s stored addresses; a GPU cannot "
                  "read it: copy the table to the device, too",
                  pointer, call);
  else if (call != nullptr && argument.padding != nullptr)  // a structure, of which it is a member
    std::snprintf(what, sizeof what,
                  "points to a structure in host memory (%p), where %s stored an address; a GPU "
                  "cannot read it: copy the structure to the device, too",
                  pointer, call);
  else if (call != nullptr)
    std::snprintf(what, sizeof what,
                  "points to host memory (%p), where %s stored an address; give it the address of "
                  "the pointer, &p",
                  pointer, call);
  report_error(text(argument.at).c_str(), "kernel %s: argument %u %s", argument.kernel,
               argument.position, what);
  return false;
}

void note_host_pointers(const void* object, std::size_t bytes, unsigned position,
                        const char* kernel, Location at) {
  constexpr std::uintptr_t least = 1 << 16;
  for (HostPointer found = find_host_pointer(object, bytes, least); found.pointer != nullptr;
       found = find_host_pointer(object, bytes, least, found.at + sizeof(void*))) {
    explain::argument_points_to_host(found.pointer);
    const std::string name = class_of_table(found.pointer);
    if (name.empty()) continue;
    char sentence[400];
    std::snprintf(sentence, sizeof sentence,
                  "kernel %.100s: argument %u holds an object of %.100s, %s", kernel, position,
                  name.c_str(), virtual_functions);
    warn_once(text(at), sentence);
  }
}

// ---- the forgotten deep copy ----
namespace {

#if defined(__SANITIZE_ADDRESS__)
// AddressSanitizer ends the kernel that follows the pointer.
void forbid(const void* pointer) {
  char name[1];
  void* begin = nullptr;
  std::size_t bytes = 0;
  const char* kind =
      __asan_locate_address(const_cast<void*>(pointer), name, sizeof name, &begin, &bytes);
  if (std::strcmp(kind, "heap") != 0 || __asan_address_is_poisoned(pointer) != 0) return;
  __asan_poison_memory_region(begin, bytes);
  copied().forbidden.emplace_back(static_cast<char*>(begin), bytes);
}
#else
void forbid(const void*) {}
#endif

}  // namespace

void note_copied_pointers(const void* to, std::size_t bytes) {
  constexpr std::size_t structures = 4096;  // more are data
  if (bytes > structures || reinterpret_cast<std::uintptr_t>(to) % alignof(void*) != 0) return;
  const auto [pointer, at] =
      find_host_pointer(to, bytes, std::uintptr_t{1} << 44);  // more than pairs of small numbers
  const std::lock_guard lock(copied().mutex);
  if (pointer == nullptr || copied().all.size() >= 1000) return;
  copied().all.push_back({static_cast<const char*>(to) + at, pointer});
  any_copied = true;
}

// A kernel takes the memory for structures in which some of these bytes are padding, where anything
// may be left over.
static bool is_padding(const CopiedPointer& copied) {
  const auto [place, found, offset] = allocations().place(copied.at, sizeof copied.pointer);
  if (found.padding == nullptr) return false;
  for (std::size_t i = 0; i < sizeof copied.pointer; ++i)
    if (found.padding[(offset + i) % found.element_bytes] == 0) return true;
  return false;
}

HostPointersForbidden::HostPointersForbidden(const Launch& launch) {
  if (!any_copied.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(copied().mutex);
  std::erase_if(copied().all, [](const CopiedPointer& copied) {
    return allocations().place(copied.at, sizeof copied.pointer).place !=
               Allocations::Place::inside ||
           std::memcmp(copied.at, &copied.pointer, sizeof copied.pointer) != 0;
  });
  for (CopiedPointer& one : copied().all) {
    const char* const at = one.at;
    const void* const pointer = one.pointer;
    if (one.said || is_padding(one)) continue;
    const std::string name = class_of_table(pointer);
    if (name.empty()) {
      forbid(pointer);
      continue;
    }
    char sentence[400];
    std::snprintf(sentence, sizeof sentence,
                  "kernel %.100s: device memory holds an object of %.100s, copied from the host "
                  "to %p, %s",
                  launch.name, name.c_str(), static_cast<const void*>(at), virtual_functions);
    warn_once(text(launch.at), sentence);
    one.said = true;
  }
}

HostPointersForbidden::~HostPointersForbidden() {
#if defined(__SANITIZE_ADDRESS__)
  for (const std::span<char> bytes : std::exchange(copied().forbidden, {}))
    __asan_unpoison_memory_region(bytes.data(), bytes.size());
#endif
}

}  // namespace emulated
