// Tiles of 64 to 512 threads (../cooperative_groups.h): several warps that wait for each other without the rest
// of their block.
#pragma once

#include <cstring>
#include <type_traits>

#include "barriers.h"

namespace emulated {

// Shared memory of a block: an OS thread runs one block at a time, and leaves all counters as it found them.
constexpr std::size_t wide_tile_value_bytes = 64;
struct WideTileBarrier {
  unsigned arrived, generation;
};
template <unsigned Size>
[[maybe_unused]] static thread_local constinit volatile WideTileBarrier wide_tile_barriers[1024 / Size]{};
[[maybe_unused]] alignas(
    16) static thread_local constinit char wide_tile_values[1024][wide_tile_value_bytes]{};

template <unsigned Size>
class WideTile {
 public:
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  static unsigned thread_rank() { return emulated::thread_rank() % Size; }

  // Waits for all threads of the tile.
  static void sync(EMULATED_AT) {
    const unsigned thread = emulated::thread_rank();
    volatile WideTileBarrier& barrier = wide_tile_barriers<Size>[thread / Size];
    const unsigned generation = barrier.generation, arrived = barrier.arrived + 1;
    if (arrived == members()) {
      barrier.arrived = 0;
      barrier.generation = generation + 1;
      return;
    }
    barrier.arrived = arrived;
    while (barrier.generation == generation) let_others_run(at);
  }

  // The value of a rank. All threads of the tile name the same one.
  template <class T>
  static T shfl(T value, unsigned rank, EMULATED_AT) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= wide_tile_value_bytes,
                  "tiles of several warps exchange values of at most 64 bytes");
    const unsigned thread = emulated::thread_rank();
    std::memcpy(wide_tile_values[thread], &value, sizeof value);
    sync(at);
    std::memcpy(&value, wide_tile_values[thread / Size * Size + rank % Size], sizeof value);
    sync(at);
    return value;
  }
  static int any(int predicate, EMULATED_AT) { return votes(predicate, at) != 0; }
  static int all(int predicate, EMULATED_AT) { return votes(predicate, at) == members(); }

  // Combines the values of all ranks, from the lowest; every thread gets the result.
  template <class T, class Operation>
  static T reduce(T value, Operation operation, EMULATED_AT) {
    const unsigned thread = emulated::thread_rank(), first = thread / Size * Size, count = members();
    std::memcpy(wide_tile_values[thread], &value, sizeof value);
    sync(at);
    for (unsigned i = 0; i < count; ++i) {
      T other;
      std::memcpy(&other, wide_tile_values[first + i], sizeof other);
      value = i == 0 ? other : operation(value, other);
    }
    sync(at);
    return value;
  }

 private:
  // The last tile of a block may be short.
  static unsigned members() {
    const unsigned first = emulated::thread_rank() / Size * Size;
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    return threads - first < Size ? threads - first : Size;
  }
  static unsigned votes(int predicate, Location at) {
    return reduce(
        predicate != 0 ? 1u : 0u, [](unsigned a, unsigned b) { return a + b; }, at);
  }
};

}  // namespace emulated
