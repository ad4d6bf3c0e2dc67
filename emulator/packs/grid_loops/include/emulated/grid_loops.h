// Loops in which each thread steps over the whole grid (grid-stride loops), one round for all threads of a block
// after another.
//
//   for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i];
//
// A thread that runs such a loop alone reads one element here, one there: each from another line of the cache, and
// nothing for vector instructions. So cu2cpp (../../translate/grid_loops.cpp) puts a call of grid_loop() in front of
// it where no thread can wait for another in the loop's body. A thread that comes there notes its index and its variables
// and lets the others run. The first one that is back runs the loop for all that have come: all first iterations, then
// all second ones. CUDA promises nothing about the order of threads between barriers, and each thread's own iterations
// keep theirs.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <type_traits>

#include <emulated/barriers.h>
#include <emulated/indices.h>
#include <emulated/scheduler.h>

namespace emulated {

// A variable of the thread that the loop's body names.
template <class T>
struct Own {
  T& variable;
};

// The threads of a block that have come to a loop.
template <class Index, class Bound, class... T>
struct Gathered {
  unsigned long long block = 0;  // which it is for
  unsigned count = 0;
  Bound bound{};  // the same for all, as the step is
  Index step{};
  bool here[1024]{};
  Index first[1024]{};
  std::tuple<std::array<T, 1024>...> own{};
};

template <class Index, class Bound, class... T, class GoesOn, class Body>
[[gnu::always_inline]] static inline void run_rounds(Gathered<Index, Bound, T...>& all, const GoesOn& goes_on,
                                                     const Body& body, std::array<T, 1024>&... own) {
  constexpr Index last = std::numeric_limits<Index>::max();
  // See run_threads() in launch.h.
  const dim3 size = blockDim;
  const uint3 block = blockIdx, self = threadIdx;
  if (size.x > 1024 || block.x >= block_x_limit) __builtin_unreachable();
  blockDim = size;
  blockIdx = block;

  const std::size_t threads = size.x * size.y * size.z;
  bool neighbors = all.count == threads;  // and in each row of threads one index follows the other
  for (std::size_t rank = 0; rank < threads; ++rank)
    neighbors &= rank % size.x == 0 || all.first[rank] == all.first[rank - 1] + 1;
  bool any = true;
  for (Index offset = 0; any; offset += all.step) {
    any = false;
    unsigned y = 0;
    for (std::size_t row = 0; row < threads; row += size.x, ++y) {
      threadIdx = {0, y % size.y, y / size.y};
      if (neighbors && offset <= last - 1024 && all.first[row] < last - 1024 - offset) {
        const Index from = all.first[row] + offset;
        unsigned count = size.x;
        while (count > 0 && !goes_on(static_cast<Index>(from + static_cast<Index>(count - 1)))) --count;
        any |= count > 0;
        if (from < 0 || from >= last - 1024 || count > 1024) __builtin_unreachable();
#pragma GCC ivdep
        for (unsigned x = 0; x < count; ++x) {
          threadIdx.x = x;
          body(static_cast<Index>(from + static_cast<Index>(x)), own[row + x]...);
        }
      } else {
        for (unsigned x = 0; x < size.x; ++x) {
          const Index from = all.first[row + x];
          if (!all.here[row + x] || from > last - offset || !goes_on(static_cast<Index>(from + offset)))
            continue;
          any = true;
          threadIdx.x = x;
          body(static_cast<Index>(from + offset), own[row + x]...);
        }
      }
      threadIdx.x = unknown_thread;
    }
  }
  threadIdx = self;
}

// A variable that is noted may hold nothing yet.
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
/// Called before the loop: true, it has been run for this thread; false, the thread must run it. `bound` is what `goes_on`
/// compares an index with.
template <class Index, class Bound, class Step, class GoesOn, class Body, class... T>
[[gnu::always_inline]] static inline bool grid_loop([[maybe_unused]] Index index,
                                                    [[maybe_unused]] Bound bound,
                                                    [[maybe_unused]] Step step_given,
                                                    [[maybe_unused]] const GoesOn& goes_on,
                                                    [[maybe_unused]] const Body& body,
                                                    [[maybe_unused]] Own<T>... own) {
#if defined(__OPTIMIZE__)  // else a debugger may follow one thread through it
  if constexpr (std::is_integral_v<Index> && sizeof(Index) >= sizeof(int) && std::is_integral_v<Bound> &&
                std::is_integral_v<Step> && (std::is_scalar_v<T> && ...)) {
    // Indices must not wrap around, and a loop of one iteration is no loop.
    const auto step = static_cast<Index>(step_given);
    if (!grid_loops.allowed || index < 0 || step_given <= 0 || step <= 0 ||
        static_cast<Step>(step) != step_given ||
        goes_on(static_cast<Index>(std::numeric_limits<Index>::max() - step + 1)) || !goes_on(index) ||
        !goes_on(static_cast<Index>(index + step)))
      return false;
    static thread_local constinit Gathered<Index, Bound, std::remove_cv_t<T>...> all;  // of this Body
    if (all.block != grid_loops.block) {  // the last one may have ended early
      std::fill(std::begin(all.here), std::end(all.here), false);
      all.block = grid_loops.block;
      all.count = 0;
    }
    if (all.count == 0) {
      all.bound = bound;
      all.step = step;
    } else if (all.bound != bound || all.step != step) {
      return false;
    }
    const unsigned self = thread_rank();
    all.here[self] = true;
    all.first[self] = index;
    ++all.count;
    std::apply([&](auto&... kept) { ((kept[self] = own.variable), ...); }, all.own);
    suspending([] { spin(Location::current(), false); });
    if (all.here[self]) {
      grid_loops.running = true;
      std::apply([&](auto&... kept) { run_rounds(all, goes_on, body, kept...); }, all.own);
      grid_loops.running = false;
      std::fill(std::begin(all.here), std::end(all.here), false);
      all.count = 0;
    }
    [[maybe_unused]] const auto take = [&](auto& variable, const auto& value) {
      if constexpr (!std::is_const_v<std::remove_reference_t<decltype(variable)>>) variable = value;
    };
    std::apply([&](auto&... kept) { (take(own.variable, kept[self]), ...); }, all.own);
    return true;
  }
#endif
  return false;
}
#pragma GCC diagnostic pop

}  // namespace emulated
