// Fibers: stacks between which one OS thread switches. A CUDA thread that has to wait stays on its
// fiber while the OS thread runs other CUDA threads of the block on other fibers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulated/scheduler.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

// Pushes the registers that a called function must keep, leaves the stack pointer in *from, takes
// `to` for the stack pointer and pops the registers that were pushed there (fiber.cpp).
//
// These ten instructions and not Boost.Context, because a switch of stacks is what a barrier costs.
// Measured in a ring of 32, 256 and 1024 fibers (Xeon, two busy cores): this 11, 9, 11 ns a switch;
// boost::context::fiber 24, 27, 40 ns; its private layer jump_fcontext 24, 25, 33 ns. It ends with
// a jump (fiber.cpp says why), so what calls it should have nothing left to do: a return after a
// jump is mispredicted.
extern "C" void emulated_switch_stack(void** from, void* to);

namespace emulated {

class alignas(64) Fiber {  // what a barrier touches lies in one line of the cache
 public:
  // A CUDA thread may have 512 KiB of local memory; the rest is for what it calls in the runtime.
  // Pages that are never touched cost no memory. AddressSanitizer's frames are larger.
#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t stack_bytes = 2 << 20;
#else
  static constexpr std::size_t stack_bytes = 640 << 10;
#endif

  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  // Makes the fiber ready to call entry(), which never returns, when it is switched to for the
  // first time. `index` numbers the fibers of an OS thread: they start at different offsets, lest
  // all stacks compete for the same places of the CPU's caches (fiber.cpp).
  // Ends the program when there is no memory for the stack.
  void prepare(void (*entry)(), unsigned index);
  // Leaves `from`, which is running, and goes on in `to`. Returns when another fiber switches back.
  static void switch_to(Fiber& from, Fiber& to);

  // Nothing will return to the frames that a kernel which was ended has left behind.
  void forget_frames() const;
  // Is it in the memory below the stack, which only an overflow touches?
  bool is_guard(const void* address) const;
  void* stack_top() const { return top_; }  // where its first frame begins

 private:
#if defined(__SANITIZE_ADDRESS__)
  static void start();
  // The ones that this OS thread switched away from and to last. Without constinit, other files
  // would reach these variables through a function, and UndefinedBehaviorSanitizer would test its
  // result for null: with g++ 12 and binutils 2.40 that test is wrong, because the linker replaces
  // the instruction whose flags it reads.
  static thread_local constinit Fiber *left, *entered;
#endif

  void* stack_pointer_ = nullptr;  // while the fiber is suspended

 public:
  Fiber* next = nullptr;  // in the list in which it is (FiberList)
  // ---- the CUDA thread that runs here ----
  const Call* call = nullptr;  // why it is suspended, and where
  Location at;
  unsigned thread = 0, lane = 0;
  Warp* warp = nullptr;
  unsigned waits = 0;            // how often it came to a place where it may have to wait
  unsigned steps_seen = 0;       // of the block's, when it last spun
  unsigned converges_since = 0;  // of the block's spins
#if defined(__SANITIZE_ADDRESS__)
  const char* frame = nullptr;  // below which nothing is the thread's own
#endif

  // Does the thread come back to the same state again and again? (waiting.cpp)
  std::uint64_t state = 0;                        // one that it was in
  std::uint64_t looks = 0, period = 1;            // since then; of the cycle, at most
  std::uint64_t returned_in = 0, circled_in = 0;  // the rounds of its last two returns (Running)
  long long clock = 0;                            // what the thread has read there
  unsigned watch = 0;                             // of the block's, when this began
  unsigned waits_seen = 0;                        // by Block::all_repeat()
  bool repeats = false;

 private:
  char *stack_ = nullptr, *top_ = nullptr;
#if defined(__SANITIZE_ADDRESS__)
  void (*entry_)() = nullptr;
  void* fake_stack_ = nullptr;
  const void* known_bottom_ = nullptr;
  std::size_t known_size_ = 0;
#elif defined(__SANITIZE_THREAD__)
  void* known_fiber_ = nullptr;  // ThreadSanitizer's name for it
#endif
};

[[gnu::always_inline]] inline void Fiber::switch_to(Fiber& from, Fiber& to) {
#if defined(__SANITIZE_ADDRESS__)
  left = &from;
  entered = &to;
  __sanitizer_start_switch_fiber(&from.fake_stack_, to.known_bottom_, to.known_size_);
#elif defined(__SANITIZE_THREAD__)
  from.known_fiber_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.known_fiber_, 0);
#endif
  emulated_switch_stack(&from.stack_pointer_, to.stack_pointer_);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(from.fake_stack_, &left->known_bottom_, &left->known_size_);
#endif
}

}  // namespace emulated
