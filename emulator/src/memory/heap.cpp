// malloc() and free(), new and delete in kernels: the host's, of which all kernels together get no
// more than cudaLimitMallocHeapSize.
#include "heap.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <string>

#include "diagnosis/diagnosis.h"
#include "emulated/scheduler.h"

namespace emulated {

namespace {

std::atomic<std::size_t> limit = heap_bytes;

std::atomic<bool> is_used = false;  // has a kernel ever got something?

struct Heap {
  std::mutex mutex;
  std::map<const char*, std::size_t> pieces;
  std::size_t used = 0;

  // The piece in which the address lies, or the end.
  auto find(const void* address) {
    const auto* const place = static_cast<const char*>(address);
    const auto after = pieces.upper_bound(place);
    if (after == pieces.begin()) return pieces.end();
    const auto it = std::prev(after);
    return place == it->first || place < it->first + it->second ? it : pieces.end();
  }
};
// Never destroyed: static destructors may use the devices.
Heap& heap() {
  static auto& value = *new Heap;
  return value;
}

}  // namespace

void limit_heap(std::size_t bytes) { limit = bytes; }

void forget_heap() {
  limit = heap_bytes;
  const std::lock_guard lock(heap().mutex);
  heap().pieces.clear();
  heap().used = 0;
}

bool is_in_heap(const void* address) {
  if (!is_used) return false;  // copies ask each time
  const std::lock_guard lock(heap().mutex);
  return heap().find(address) != heap().pieces.end();
}

// `call`: which asks for it.
template <class Allocate>
static void* take(std::size_t bytes, const Allocate& allocate, const char* call, Location at) {
  if (!in_kernel()) return allocate();
  {
    is_used = true;
    const std::lock_guard lock(heap().mutex);
    if (bytes <= limit && heap().used <= limit - bytes) {
      void* const memory = allocate();
      if (memory != nullptr && heap().pieces.emplace(static_cast<char*>(memory), bytes).second)
        heap().used += bytes;
      return memory;
    }
  }
  warn_once(text(at), kernel_text() + ": " + call + " returns a null pointer: kernels have " +
                          std::to_string(limit) +
                          " bytes in all, unless cudaDeviceSetLimit(cudaLimitMallocHeapSize, n) "
                          "asks for more");
  return nullptr;
}

void* device_malloc(std::size_t bytes, Location at) {
  return take(
      bytes, [=] { return std::malloc(bytes); }, "malloc()", at);
}

void* device_new(std::size_t bytes, std::align_val_t alignment, bool array, Location at) {
  const auto allocate = [=]() -> void* {
    const bool aligned = static_cast<std::size_t>(alignment) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    if (aligned && array) return ::operator new[](bytes, alignment, std::nothrow);
    if (aligned) return ::operator new(bytes, alignment, std::nothrow);
    if (array) return ::operator new[](bytes, std::nothrow);
    return ::operator new(bytes, std::nothrow);
  };
  return take(bytes, allocate, "new", at);
}

void forget_in_heap(const void* memory) {
  const std::lock_guard lock(heap().mutex);
  if (const auto it = heap().find(memory); it != heap().pieces.end()) {
    heap().used -= it->second;
    heap().pieces.erase(it);
  }
}

void device_free(void* memory) {
  forget_in_heap(memory);
  std::free(memory);
}

}  // namespace emulated
