// An access to memory, as the compiler's hooks tell of it.
#pragma once

#include <cstdint>

namespace emulated::explain {

enum class Space : std::uint8_t { other, global, shared, constant };
enum Flags : std::uint16_t {
  is_write = 1,
  is_atomic = 2,
  is_volatile = 4,
  is_update = 8,         // an atomic access that both reads and writes
  is_waited = 16,        // a volatile read in a loop that waits for another thread
  is_exchange = 32,      // atomicCAS and the like
  is_block_wide = 64,    // atomic for the threads of one block only
  after_exchange = 128,  // a plain write to what the thread itself had exchanged before
  is_release = 256,      // an atomic access that says so (memory_order)
  is_acquire = 512
};

/// Lanes that do this at one address take turns; atomic loads of one
/// address are a broadcast, like others.
constexpr bool takes_turns(unsigned flags) {
  return (flags & (is_atomic | is_write)) == (is_atomic | is_write);
}

struct Access {
  const void* place = nullptr;  // the instruction after it
  std::uintptr_t address = 0;
  std::uint32_t bytes = 0;
  std::uint16_t flags = 0;
  Space space = Space::other;
  bool any_address = false;  // it need not be aligned
};

}  // namespace emulated::explain
