// cooperative_groups::memcpy_async. On hardware the copy goes on while the kernel runs, until
// wait(); here it is done when the call returns, and wait() is the barrier that it always is.
#pragma once

#include <cstddef>

#include "../cooperative_groups.h"

namespace cooperative_groups {

// All threads of the group together copy `bytes` bytes; each copies a part.
template <class Group, class T, class Size>
void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
  auto* const target = reinterpret_cast<unsigned char*>(to);
  const auto* const source = reinterpret_cast<const unsigned char*>(from);
  const auto count = static_cast<std::size_t>(bytes);
  constexpr std::size_t part = 16;
  for (std::size_t i = group.thread_rank() * part; i < count; i += group.num_threads() * part) {
    // Not one call for both: the pack `explain` sees assignments, and calls of the C library, but
    // not what the compiler makes of a call for at most 16 bytes.
    if (count - i >= part)
      std::memcpy(target + i, source + i, part);
    else
      for (std::size_t k = i; k < count; ++k) target[k] = source[k];
  }
}
// The same with numbers of elements: the smaller of both is copied.
template <class Group, class T, class ToSize, class FromSize>
void memcpy_async(const Group& group, T* to, const ToSize& to_elements, const T* from,
                  const FromSize& from_elements) {
  const auto a = static_cast<std::size_t>(to_elements), b = static_cast<std::size_t>(from_elements);
  memcpy_async(group, to, from, (a < b ? a : b) * sizeof(T));
}

// Waits until the group's copies are done.
template <class Group>
void wait(const Group& group, EMULATED_AT) {
  group.sync(at);
}
// The same for all but the last `Stages` copies.
template <unsigned Stages, class Group>
void wait_prior(const Group& group, EMULATED_AT) {
  group.sync(at);
}

}  // namespace cooperative_groups
