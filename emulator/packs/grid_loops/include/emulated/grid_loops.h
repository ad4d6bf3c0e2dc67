// Loops in which each thread steps over the whole grid (grid-stride loops), one round for all threads of a block
// after another.
//
//   for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i];
//
// A thread that runs such a loop alone reads one element here, one there: each from another line of the cache, and
// nothing for vector instructions. So cu2cpp (../../translate/strided_loops.cpp) puts a call of strided_loop() in front
// of it where it can prove that the order of iterations does not matter: the first thread of a block that comes there
// runs the loop for all of them, first all first iterations, then all second ones; the others skip it. CUDA
// promises nothing about the order of threads between barriers, and each thread's own iterations keep theirs.
#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>

#include <emulated/indices.h>
#include <emulated/scheduler.h>

namespace emulated {

// A type whose operators are the language's own, so that no barrier hides in them: what template parameters of a
// kernel must be.
template <class T>
inline constexpr bool is_plain = std::is_arithmetic_v<T>;

// What is kept of a variable for each thread.
template <class T>
using Kept = std::conditional_t<is_plain<T>, T, char>;
// After the loop a thread takes what was kept for it. (Of other types nothing is.)
template <class T>
static inline void take(T& variable, const Kept<T>& kept) {
  if constexpr (is_plain<T>) variable = kept;
}

// For how many of the indices from, from + 1, ..., at most `count`, does the loop go on?
template <class Index, class GoesOn>
static inline unsigned count_going_on(Index from, unsigned count, const GoesOn& goes_on) {
  const Index left = std::numeric_limits<Index>::max() - from;
  if (left < static_cast<Index>(count)) count = static_cast<unsigned>(left) + 1;
  if (goes_on(static_cast<Index>(from + static_cast<Index>(count - 1)))) return count;
  unsigned low = 0;  // it does for all before this one, not for `count` - 1
  for (unsigned high = count - 1; low < high;) {
    const unsigned middle = (low + high) / 2;
    if (goes_on(static_cast<Index>(from + static_cast<Index>(middle))))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The rounds. `first` gives the present thread's first index, `goes_on` tells whether the loop runs for an index,
// which must hold up to some bound and not beyond; `prepare` writes what is kept for the thread of a number, `body` runs
// one iteration. False: the indices might wrap around, nothing was run.
template <class First, class Prepare, class GoesOn, class Body>
[[gnu::always_inline]] static inline bool run_rounds(const First& first, const Prepare& prepare,
                                                     const GoesOn& goes_on, auto step_given,
                                                     const Body& body) {
  using Index = decltype(first());
  using Unsigned = std::make_unsigned_t<Index>;
  constexpr Index last = std::numeric_limits<Index>::max();
  // See run_threads() in launch.h.
  const dim3 size = blockDim;
  const uint3 block = blockIdx;
  if (size.x > 1024 || block.x >= block_x_limit) __builtin_unreachable();
  blockDim = size;
  blockIdx = block;

  // What the threads begin with.
  Index least = last, greatest = 0;
  bool negative = false, neighbors = true;  // neighbors: in each row of threads one index follows the other
  std::size_t row = 0;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y, row += size.x) {
      threadIdx = {0, y, z};
      const Index start = first();
#pragma GCC ivdep
      for (unsigned x = 0; x < size.x; ++x) {
        threadIdx.x = x;
        const Index index = first();
        negative |= index < Index{0};
        neighbors &= static_cast<Unsigned>(index) - static_cast<Unsigned>(start) == x;
        least = index < least ? index : least;
        greatest = index > greatest ? index : greatest;
        prepare(row + x);
      }
      threadIdx.x = unknown_thread;
    }
  // Only a step that fits into the index does the same when it is added in the index's type.
  const auto step = static_cast<Index>(step_given);
  if (negative || step_given <= 0 || step <= 0 || static_cast<decltype(step_given)>(step) != step_given)
    return false;
  if (goes_on(static_cast<Index>(last - step + 1))) return false;

  for (Index offset = 0; goes_on(static_cast<Index>(least + offset)); offset += step) {
    row = 0;
    for (unsigned z = 0; z < size.z; ++z)
      for (unsigned y = 0; y < size.y; ++y, row += size.x) {
        threadIdx = {0, y, z};
        const Index start = first();
        if (neighbors && offset <= last - 1024 && start < last - 1024 - offset) {
          const Index from = start + offset;
          const unsigned count = count_going_on(from, size.x, goes_on);
          if (from < 0 || from >= last - 1024 || count > 1024) __builtin_unreachable();
#pragma GCC ivdep
          for (unsigned x = 0; x < count; ++x) {
            threadIdx.x = x;
            body(static_cast<Index>(from + static_cast<Index>(x)), row + x);
          }
          threadIdx.x = unknown_thread;
        } else {
#pragma GCC ivdep
          for (unsigned x = 0; x < size.x; ++x) {
            threadIdx.x = x;
            const Index from = first();
            if (from <= last - offset && goes_on(static_cast<Index>(from + offset)))
              body(static_cast<Index>(from + offset), row + x);
          }
          threadIdx.x = unknown_thread;
        }
      }
  }
  return true;
}

/// Called before the loop: true, it has been run, for this thread at least; false, this thread must run it.
/// `loop`, `after`: bits of this loop of the kernel, and of one that must have been run for all threads before (or 0).
/// behind_barrier: only if all threads came to the barrier that opened last.
template <bool plain, class First, class Prepare, class GoesOn, class Step, class Body>
[[gnu::always_inline]] static inline bool strided_loop(
    [[maybe_unused]] unsigned loop, [[maybe_unused]] unsigned after, [[maybe_unused]] bool behind_barrier,
    [[maybe_unused]] const First& first, [[maybe_unused]] const Prepare& prepare,
    [[maybe_unused]] const GoesOn& goes_on, [[maybe_unused]] const Step& step,
    [[maybe_unused]] const Body& body) {
#if defined(__OPTIMIZE__)  // else a debugger may follow one thread through it
  using Index = decltype(first());
  if constexpr (plain && std::is_integral_v<Index> && sizeof(Index) >= sizeof(int) &&
                std::is_integral_v<decltype(step())>) {
    if ((strided_loops.done & loop) != 0) return true;
    if ((strided_loops.alone & loop) != 0) return false;
    if (strided_loops.allowed && (strided_loops.done & after) == after &&
        (!behind_barrier || all_passed_barrier())) {
      const uint3 self = threadIdx;
      strided_loops.running = true;
      const bool done = run_rounds(first, prepare, goes_on, step(), body);
      strided_loops.running = false;
      threadIdx = self;
      if (done) {
        strided_loops.done |= loop;
        return true;
      }
    }
    strided_loops.alone |= loop;
  }
#endif
  return false;
}

}  // namespace emulated
