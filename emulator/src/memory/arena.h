// Where device memory lies: a range of addresses of its own, as on a GPU, so that an address shows
// whether it is or was device memory. While no kernel and no copy runs, it must not be touched: a
// host access ends the program, as on a GPU.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "budget.h"

namespace emulated {

class DeviceArena {
 public:
  /// Memory of at least `bytes` bytes and a guard, aligned as CUDA aligns it, or nullptr. To be
  /// called while open. `capacity` receives how many bytes it really has.
  void* allocate(std::size_t bytes, std::size_t& capacity);
  /// Gives back what allocate() returned with this capacity.
  void release(void* pointer, std::size_t capacity);
  /// Is or was this address device memory?
  bool contains(const void* pointer) const;

  /// Makes device memory accessible until as many calls of close() have followed.
  ///
  /// Changing the access costs some microseconds, more where memory has small pages. The plain
  /// build leaves memory open after most calls once there have been thousands. The sanitized build
  /// always closes it, through AddressSanitizer, and so does the build with the pack explain.
  void open();
  void close();

  /// Memory of the host's, whole pages, that is closed with that of the device
  /// from now on, until open_too().
  void close_too(std::span<char> memory);
  void open_too();
  /// The first pages of one of these pieces stay open.
  void open_too(std::span<char> pages);
  /// Is it still closed after each use?
  bool closes() const { return closes_.load(std::memory_order_relaxed); }

 private:
  // A part of the range in use: one large allocation or a slab of small ones.
  struct Chunk {
    std::size_t bytes = 0;
    std::map<std::size_t, std::size_t> free;  // of a slab: offset and bytes of what is not in use
    bool slab = false;
  };
  using Chunks = std::map<char*, Chunk>;

  void reserve();
  char* take_units(std::size_t count);
  Chunks::iterator add_chunk(std::size_t bytes, bool slab);
  void remove_chunk(Chunks::iterator chunk);
  void set_access(bool accessible);

  mutable std::mutex mutex_;
  char *begin_ = nullptr,
       *end_ = nullptr;  // the range of addresses (sanitized: that had memory so far)
  std::map<std::size_t, std::size_t> free_units_;  // first unit and count of what is not in use
  std::size_t next_unit_ = 0;  // where to look first, so that addresses are reused late
  Chunks chunks_;
  std::vector<std::span<char>> closed_too_;
  unsigned users_ = 0;
  bool accessible_ = true;
  std::atomic<bool> closes_ = true;
  // For closing: a unit is a part of 4096 of what closing one of its ranges costs.
  static constexpr std::uint64_t closing_work = 4096;
  Budget budget_{2048 * closing_work, 2};
};

/// The device memory of this process. Never destroyed: static destructors may free memory.
DeviceArena& device_arena();

/// For pinned and managed memory in the build with the pack explain: always accessible, but its
/// allocations lie far apart.
DeviceArena& host_arena();

/// Makes device memory accessible for a while.
class DeviceAccess {
 public:
  DeviceAccess() { device_arena().open(); }
  ~DeviceAccess() { device_arena().close(); }
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

}  // namespace emulated
