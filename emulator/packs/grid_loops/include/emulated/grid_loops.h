// Loops in which each thread steps over the whole grid (grid-stride loops), one round for all
// threads of a block after another.
//
//   for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
//     y[i] = a * x[i];
//   }
//
// A thread that runs such a loop alone reads one element here, one there: each from another line of
// the cache, and nothing for vector instructions. So cu2cpp (../../translate/strided_loops.cpp)
// puts a call of strided_loop() in front of it where it can prove that the order of iterations does
// not matter: the first thread of a block that comes there runs the loop for all of them, first all
// first iterations, then all second ones; the others skip it. CUDA promises nothing about the order
// of threads between barriers, and each thread's own iterations keep theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <emulated/indices.h>
#include <emulated/scheduler.h>
#include <emulated/subscript.h>

namespace emulated {

// What is kept of a variable for each thread: nothing of template parameters whose operators are
// not the language's own.
template <class T>
using Kept = std::conditional_t<std::is_arithmetic_v<T>, T, char>;
// After the loop a thread takes what was kept for it.
template <class T>
static inline void take(T& variable, const Kept<T>& kept) {
  if constexpr (std::is_arithmetic_v<T>) variable = kept;
}

// The rounds. `first` gives the present thread's first index, `goes_on` tells whether the
// loop runs for an index, which must hold up to some bound and not beyond; `prepare` writes
// what is kept for the thread of a number, `body` runs one iteration. False: the indices
// might wrap around, nothing was run.
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
  Index least = last;
  Index greatest = 0;
  bool negative = false;
  bool neighbors = true;  // in each row of threads one index follows the other
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
  // The sums below must not wrap around: of an index before the bound, a step,
  // and the distance of two threads.
  if (negative || step_given <= 0 ||
      static_cast<std::uint64_t>(step_given) > std::uint64_t{last / 4} ||
      greatest - least > last / 4 || goes_on(last / 2))
    return false;
  const auto step = static_cast<Index>(step_given);

  for (Index offset = 0; goes_on(least + offset); offset += step) {
    row = 0;
    for (unsigned z = 0; z < size.z; ++z)
      for (unsigned y = 0; y < size.y; ++y, row += size.x) {
        threadIdx = {0, y, z};
        const Index start = first();
        if (neighbors) {
          const Index from = start + offset;
          unsigned count = size.x;  // for how many the loop goes on
          if (!goes_on(from + static_cast<Index>(size.x - 1))) {
            count = 0;
            for (unsigned x = 0; x < size.x; ++x)
              count += goes_on(from + static_cast<Index>(x)) ? 1 : 0;
          }
          if (from < 0 || from >= last - 1024 || count > 1024) __builtin_unreachable();
#pragma GCC ivdep
          for (unsigned x = 0; x < count; ++x) {
            threadIdx.x = x;
            body(from + static_cast<Index>(x), row + x);
          }
          threadIdx.x = unknown_thread;
        } else {
#pragma GCC ivdep
          for (unsigned x = 0; x < size.x; ++x) {
            threadIdx.x = x;
            const Index index = first() + offset;
            if (goes_on(index)) body(index, row + x);
          }
          threadIdx.x = unknown_thread;
        }
      }
  }
  return true;
}

/// Called before the loop: true, it has been run, for this thread at least; false, this thread must
/// run it. plain: in the operators of the types that are template parameters of the kernel no
/// barrier hides. `loop` is the bit of this loop of the kernel; behind_barrier: only if all threads
/// came to the barrier that opened last. Once a loop was refused, all later ones of the block are:
/// threads come to them one by one.
template <bool plain, class First, class Prepare, class GoesOn, class Step, class Body>
[[gnu::always_inline]] static inline bool strided_loop([[maybe_unused]] unsigned loop,
                                                       [[maybe_unused]] bool behind_barrier,
                                                       [[maybe_unused]] const First& first,
                                                       [[maybe_unused]] const Prepare& prepare,
                                                       [[maybe_unused]] const GoesOn& goes_on,
                                                       [[maybe_unused]] const Step& step,
                                                       [[maybe_unused]] const Body& body) {
#if defined(__OPTIMIZE__)  // else a debugger may follow one thread through it
  using Index = decltype(first());
  if constexpr (plain && std::is_integral_v<Index> && sizeof(Index) >= sizeof(int) &&
                std::is_integral_v<decltype(step())>) {
    if ((strided_loops.done & loop) != 0) return true;
    if (strided_loops.allowed && (!behind_barrier || all_passed_barrier())) {
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
  }
  strided_loops.allowed = false;
#endif
  return false;
}

}  // namespace emulated
