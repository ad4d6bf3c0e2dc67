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
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

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

// A member of a kernel's parameter that is a number, or a pointer to numbers.
template <class T>
constexpr bool is_plain_member = std::is_arithmetic_v<T> ||
                                 (std::is_pointer_v<T> &&
                                  std::is_arithmetic_v<std::remove_pointer_t<T>> &&
                                  !std::is_volatile_v<std::remove_pointer_t<T>>);

// The threads of a block, which go through a loop in rounds.
//
// `comes` says whether the present thread comes to the loop, `first` gives its first index,
// `prepare` writes what is kept for the thread of a number; `goes_on` and `body` are the loop's,
// for one index. An index may wrap around: then it does here, too.
template <bool guarded, bool convex, class Comes, class First, class Prepare, class GoesOn,
          class Body>
class Rounds {
 public:
  using Index = decltype(std::declval<const First&>()());
  using Unsigned = std::make_unsigned_t<Index>;

  [[gnu::always_inline]] Rounds(const Comes& comes, const First& first, const Prepare& prepare,
                                const GoesOn& goes_on, const Body& body, bool (&left)[1024])
      : comes_(comes),
        first_(first),
        prepare_(prepare),
        goes_on_(goes_on),
        body_(body),
        size_(blockDim),
        left_(left) {
    // See run_threads() in launch.h.
    const uint3 block = blockIdx;
    if (size_.x > 1024 || block.x >= block_x_limit) __builtin_unreachable();
    blockDim = size_;
    blockIdx = block;
  }

  // False: the step is not the same for all threads, or 0; nothing was run.
  template <class Step>
  [[gnu::always_inline]] bool run(const Step& step_of) {
    Unsigned step = 0;
    if (!begin(step_of, step)) return false;
    for (Unsigned offset = 0; in_loop_ > 0; offset += step)
      each_row([&](std::size_t row) __attribute__((always_inline)) {
        const bool in_order = in_loop_ == threads_ && (neighbors_ || same_);
        const Index from = in_order ? index(offset) : last;
        if (from < 0 || from >= last - 1024)
          one_by_one(row, offset);
        else if (neighbors_)
          together<1>(row, from, offset);
        else
          together<0>(row, from, offset);
      });
    return true;
  }

 private:
  static constexpr Index last = std::numeric_limits<Index>::max();

  // The index of the present thread.
  [[gnu::always_inline]] Index index(Unsigned offset) const {
    return static_cast<Index>(static_cast<Unsigned>(first_()) + offset);
  }

  template <class Row>
  [[gnu::always_inline]] void each_row(const Row& row) const {
    std::size_t begin = 0;
    for (unsigned z = 0; z < size_.z; ++z)
      for (unsigned y = 0; y < size_.y; ++y, begin += size_.x) {
        threadIdx = {0, y, z};
        row(begin);
        threadIdx.x = unknown_thread;
      }
  }

  // What the threads begin with.
  template <class Step>
  [[gnu::always_inline]] bool begin(const Step& step_of, Unsigned& step) {
    unsigned others = 0;  // with another step
    if (!guarded) step = static_cast<Unsigned>(step_of(Index{0}));
    each_row([&](std::size_t row) __attribute__((always_inline)) {
      if constexpr (guarded)
        for (unsigned x = 0; x < size_.x; ++x) {
          threadIdx.x = x;
          if (!comes_()) {
            leave(row + x, 1);
            continue;
          }
          if (step == 0) step = static_cast<Unsigned>(step_of(Index{0}));
        }
      const bool all = in_loop_ == threads_;
      threadIdx.x = 0;
      const Unsigned start = all ? static_cast<Unsigned>(first_()) : 0;
      unsigned near = 0;
      unsigned equal = 0;
#pragma GCC ivdep
      for (unsigned x = 0; x < size_.x; ++x) {
        threadIdx.x = x;
        if (guarded && !all && left_[row + x]) continue;
        const Unsigned distance = static_cast<Unsigned>(first_()) - start;
        near += distance == x ? 1 : 0;
        equal += distance == 0 ? 1 : 0;
        others += static_cast<Unsigned>(step_of(Index{0})) == step ? 0 : 1;
        prepare_(row + x);
      }
      neighbors_ &= near == size_.x;
      same_ &= equal == size_.x;
    });
    return others == 0 && step != 0;
  }

  [[gnu::always_inline]] void leave(std::size_t first, unsigned count) {
    if (count == 0) return;
    if (in_loop_ == threads_) std::memset(left_, 0, sizeof left_);
    std::memset(left_ + first, 1, count);
    in_loop_ -= count;
  }

  // A row whose threads' indices are `from` + x, or all the same: what the compiler can turn into
  // vector instructions.
  template <unsigned distance>
  [[gnu::always_inline]] void together(std::size_t row, Index from, Unsigned offset) {
    const auto index = [&](unsigned x) __attribute__((always_inline)) {
      return from + static_cast<Index>(x * distance);
    };
    unsigned count = size_.x;
    if (!convex || !goes_on_(from) || !goes_on_(index(size_.x - 1))) {
      count = 0;
      for (unsigned x = 0; x < size_.x; ++x) {
        threadIdx.x = x;
        count += goes_on_(index(x)) ? 1 : 0;
      }
      unsigned others = 0;  // than the first ones
      for (unsigned x = 0; x < size_.x; ++x) {
        threadIdx.x = x;
        others += goes_on_(index(x)) == (x < count) ? 0 : 1;
      }
      if (others != 0) return one_by_one(row, offset);
    }
    if (from < 0 || from >= last - 1024 || count > 1024) __builtin_unreachable();
#pragma GCC ivdep
    for (unsigned x = 0; x < count; ++x) {
      threadIdx.x = x;
      body_(index(x), row + x);
    }
    leave(row + count, size_.x - count);
  }

  [[gnu::always_inline]] void one_by_one(std::size_t row, Unsigned offset) {
    for (unsigned x = 0; x < size_.x; ++x) {
      if (in_loop_ != threads_ && left_[row + x]) continue;
      threadIdx.x = x;
      const Index own = index(offset);
      if (goes_on_(own))
        body_(own, row + x);
      else
        leave(row + x, 1);
    }
  }

  const Comes& comes_;
  const First& first_;
  const Prepare& prepare_;
  const GoesOn& goes_on_;
  const Body& body_;
  const dim3 size_;
  const unsigned threads_ = size_.x * size_.y * size_.z;
  unsigned in_loop_ = threads_;  // of them
  bool (&left_)[1024];  // who has left the loop, or has not come to it; if not all are in it. Not a
                        // member: g++ would keep the others in memory, too
  bool neighbors_ = true;  // in each row of threads one index follows the other
  bool same_ = true;       // or is equal to it
};

/// Called before the loop: true, it has been run, for this thread at least; false, this thread must
/// run it. plain: in the operators of the types that are template parameters of the kernel no
/// barrier hides. guarded: some threads may have returned before. convex: if the loop goes on for
/// two indices, then for those between them. `loop` is the bit of this loop of the kernel;
/// after_barrier: only if all threads came to the barrier that opened last. Once a loop was
/// refused, all later ones of the block are: threads come to them one by one.
template <bool plain, bool guarded, bool convex, class Comes, class First, class Prepare,
          class GoesOn, class Step, class Body>
[[gnu::always_inline]] static inline bool strided_loop(
    [[maybe_unused]] unsigned loop, [[maybe_unused]] bool after_barrier,
    [[maybe_unused]] const Comes& comes, [[maybe_unused]] const First& first,
    [[maybe_unused]] const Prepare& prepare, [[maybe_unused]] const GoesOn& goes_on,
    [[maybe_unused]] const Step& step, [[maybe_unused]] const Body& body) {
#if defined(__OPTIMIZE__)  // else a debugger may follow one thread through it
  using Index = decltype(first());
  if constexpr (plain && std::is_integral_v<Index> && sizeof(Index) >= sizeof(int) &&
                std::is_same_v<decltype(step(Index{0})), Index>) {
    if ((strided_loops.done & loop) != 0) return true;
    if (strided_loops.allowed && (!after_barrier || all_passed_barrier())) {
      const uint3 self = threadIdx;
      bool left[1024];
      strided_loops.running = true;
      const bool done = Rounds<guarded, convex, Comes, First, Prepare, GoesOn, Body>(
                            comes, first, prepare, goes_on, body, left)
                            .run(step);
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
