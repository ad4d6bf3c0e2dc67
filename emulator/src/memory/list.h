// The list of what was allocated.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>

#include "budget.h"
#include "cuda_runtime_api.h"
#include "emulated/runtime.h"
#include "emulated/scheduler.h"
#include "guards.h"

namespace emulated {

/// A piece of memory that was allocated, or registered with the device.
struct Allocation {
  std::size_t bytes = 0;
  std::size_t capacity = 0;  // with what lies after its end
  cudaMemoryType type = cudaMemoryTypeUnregistered;
  const Allocator* by = nullptr;
  bool owned = false;  // ours to free; else a symbol or registered host memory
  int device = 0;
  bool whole_pages = false;  // no other shares its pages, so that they can be closed (managed.h)
  Guard guard = {};
  const void* stored_at = nullptr;         // where the program got its address
  std::size_t element_bytes = 0;           // of what kernels take it for an array of; 0: not known
  const unsigned char* padding = nullptr;  // within such an element (arguments.h)
};

class Allocations {
 public:
  cudaError_t allocate(void** pointer, std::size_t bytes, const Allocator& by);
  cudaError_t release(void* pointer, bool host);
  /// Frees the memory of one device, as cudaDeviceReset does.
  void release_device_memory(int device);

  /// Notes memory that is not ours to free.
  cudaError_t add_foreign(const void* pointer, std::size_t bytes, const Allocator& by);
  cudaError_t remove_foreign(const void* pointer);

  enum class Place { unknown, inside, crosses_end };
  struct Found {
    Place place = Place::unknown;
    Allocation allocation;
    std::size_t offset = 0;  // from the allocation's beginning
  };
  /// Where `bytes` bytes lie, and in which allocation.
  Found place(const void* pointer, std::size_t bytes = 1);

  /// The allocation that a kernel gets as an array of elements of so many bytes (0: not known).
  Allocation argument(const void* pointer, std::size_t element_bytes, const unsigned char* padding);

  /// A kernel has ended: looks at all guards, after many thousand launches only now and
  /// then.
  void kernel_ended(const Launch& launch);
  /// The shape of the kernel that ended last.
  Launched last_launch() const { return {last_blocks_, last_threads_}; }
  std::size_t unfreed();
  /// Looks at all guards now.
  void look_at_guards();

  /// Calls it with the beginning and the size of each.
  template <class Function>
  void for_each(Function function) {
    const std::lock_guard lock(mutex_);
    for (const auto& [begin, allocation] : list_) function(begin, allocation.bytes);
  }

  /// Is there managed memory?
  bool has_managed() const { return managed_ > 0; }

  /// Which call stored the address of what it allocated at this place? nullptr: none.
  const char* stored_at(const void* place);

  /// Is this the address just after an allocation?
  bool ends_at(const void* pointer);

  /// Says on standard error what a host access to device memory touched; `at` is " at FILE:LINE" or
  /// empty. Called by a signal handler: gives up when the list is in use.
  bool explain_host_access(const void* address, const char* at);
  /// At the end of the program: writes past the end of allocations, and leaks if the environment
  /// asks.
  void report();

 private:
  using List = std::map<const char*, Allocation>;
  List::iterator find(const void* pointer);
  static bool fits(std::size_t bytes);
  void look_behind(List::const_iterator it) const;
  void look_behind_each();
  void because_not_freed(const void* pointer, List::const_iterator it) const;
  void free_memory(List::const_iterator it);

  std::mutex mutex_;
  std::atomic<unsigned> managed_ = 0;  // allocations
  List list_;                          // by address
  unsigned of_whole_pages_ = 0;        // allocations
  std::size_t unchecked_ = 0;          // bytes allocated since the machine was asked what it has

  // Freed by the destructors of arguments, and not allocated again since.
  std::map<const void*, EndingLaunch> freed_by_arguments_;

  // What may have written since all guards were looked at.
  std::atomic<const char*> kernel_ = "";
  std::atomic<Location> launched_at_ = Location();
  std::atomic<unsigned> launches_ = 0;
  std::atomic<unsigned long long> last_blocks_ = 0;
  std::atomic<unsigned> last_threads_ = 0;  // of each block
  // For looking at guards: a unit is a thousandth of what one of them costs.
  static constexpr std::uint64_t guard_work = 1024;
  Budget budget_{8192 * guard_work, 1};
  std::uint64_t latest_work_ = guard_work;
};

/// Where this host thread's call stores the address of what it allocates:
/// a fault there is no other.
extern thread_local constinit const void* volatile storing_at;

/// Texture and surface objects of this memory exist no longer for kernels: it is being freed.
void orphan_textures(const void* memory, std::size_t bytes);

/// The list of this process. Never destroyed: static destructors may free memory.
Allocations& allocations();

}  // namespace emulated
