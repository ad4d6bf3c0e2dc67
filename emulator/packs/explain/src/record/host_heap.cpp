// How large the host's allocations are: a copy beyond the end of one, as of n elements to a
// vector of one per block, damages what lies after it and is seen much later, or never.
//
// new and delete are replaced, malloc() and its like are wrapped by the linker
// (EmulatedCudaFunctions.cmake). What a library allocates on its own is not known here.
#include <malloc.h>
#include <pthread.h>

#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <new>

#include "emulated/explain_hooks.h"
#include "explain.h"

extern "C" {
void* __real_malloc(std::size_t bytes);
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_realloc(void* begin, std::size_t bytes);
void __real_free(void* begin);
}

namespace emulated::explain {

namespace {

// The table's own memory is not noted in it.
template <class T>
struct Unnoted {
  using value_type = T;
  Unnoted() = default;
  template <class Other>
  explicit Unnoted(const Unnoted<Other>&) {}
  T* allocate(std::size_t count) {
    if (void* const begin = __real_malloc(count * sizeof(T))) return static_cast<T*>(begin);
    throw std::bad_alloc();
  }
  void deallocate(T* begin, std::size_t) { __real_free(begin); }
  bool operator==(const Unnoted&) const { return true; }
};
struct Size {
  std::size_t bytes = 0;
  std::size_t usable = 0;  // with what malloc() gave beyond them
};
using Sizes =
    std::map<std::uintptr_t, Size, std::less<>, Unnoted<std::pair<const std::uintptr_t, Size>>>;

struct Heap {
  std::mutex mutex;
  Sizes sizes;  // of the allocations that begin there

  Heap();
};
// Never destroyed: the program frees memory until its end.
Heap& heap() {
  alignas(Heap) static char storage[sizeof(Heap)];
  static Heap& only = *new (storage) Heap;
  return only;
}
// No copy of the process begins (detectors/again.cpp) while another host thread uses the table: it
// would stay locked there.
Heap::Heap() {
  const auto unlock = [] { heap().mutex.unlock(); };
  pthread_atfork([] { heap().mutex.lock(); }, unlock, unlock);
}

// What is allocated while a kernel runs belongs to the notes about it.
void* noted(void* begin, std::size_t bytes) {
  if (begin == nullptr || block != nullptr) return begin;
  const std::lock_guard lock(heap().mutex);
  heap().sizes.insert_or_assign(reinterpret_cast<std::uintptr_t>(begin),
                                Size{bytes, malloc_usable_size(begin)});
  return begin;
}

void forget(void* begin) {
  if (begin == nullptr || block != nullptr) return;
  const std::lock_guard lock(heap().mutex);
  heap().sizes.erase(reinterpret_cast<std::uintptr_t>(begin));
}

void* noted_new(void* begin, std::size_t bytes) {
  if (begin == nullptr) throw std::bad_alloc();
  return noted(begin, bytes);
}

}  // namespace

HostRoom host_room(const void* address) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const std::lock_guard lock(heap().mutex);
  const auto after = heap().sizes.upper_bound(place);
  if (after == heap().sizes.begin()) return {};
  const auto [begin, size] = *std::prev(after);
  if (place - begin >= size.bytes) return {};
  // Where a library has freed it, the place may have been allocated again by another.
  if (malloc_usable_size(reinterpret_cast<void*>(begin)) != size.usable) return {};  // NOLINT
  return {.allocated = size.bytes, .offset = place - begin};
}

}  // namespace emulated::explain

using emulated::explain::forget;
using emulated::explain::noted;
using emulated::explain::noted_new;

extern "C" {
void* __wrap_malloc(std::size_t bytes) { return noted(__real_malloc(bytes), bytes); }
void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  return noted(__real_calloc(count, bytes), count * bytes);
}
void* __wrap_realloc(void* begin, std::size_t bytes) {
  forget(begin);
  return noted(__real_realloc(begin, bytes), bytes);
}
void __wrap_free(void* begin) {
  forget(begin);
  __real_free(begin);
}
}

void* operator new(std::size_t bytes) {
  return noted_new(__real_malloc(bytes == 0 ? 1 : bytes), bytes);
}
void operator delete(void* begin) noexcept { __wrap_free(begin); }
void operator delete(void* begin, std::size_t) noexcept { __wrap_free(begin); }
