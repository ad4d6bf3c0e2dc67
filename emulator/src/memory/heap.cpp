// malloc() and free() in kernels: the host's, of which all kernels together get no more than
// cudaLimitMallocHeapSize. (`new` has no limit.)
#include "heap.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>

#include "diagnosis/diagnosis.h"
#include "emulated/scheduler.h"

namespace emulated {

namespace {

std::atomic<std::size_t> limit = heap_bytes;

struct Heap {
  std::mutex mutex;
  std::map<const void*, std::size_t> pieces;
  std::size_t used = 0;
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

void* device_malloc(std::size_t bytes, Location at) {
  if (!in_kernel()) return std::malloc(bytes);
  {
    const std::lock_guard lock(heap().mutex);
    if (bytes <= limit && heap().used <= limit - bytes) {
      void* const memory = std::malloc(bytes);
      if (memory != nullptr && heap().pieces.emplace(memory, bytes).second) heap().used += bytes;
      return memory;
    }
  }
  warn_once(text(at), kernel_text() + ": malloc() returns a null pointer: kernels have " +
                          std::to_string(limit) +
                          " bytes in all, unless cudaDeviceSetLimit(cudaLimitMallocHeapSize, n) "
                          "asks for more");
  return nullptr;
}

void device_free(void* memory) {
  {
    const std::lock_guard lock(heap().mutex);
    if (const auto it = heap().pieces.find(memory); it != heap().pieces.end()) {
      heap().used -= it->second;
      heap().pieces.erase(it);
    }
  }
  std::free(memory);
}

}  // namespace emulated
