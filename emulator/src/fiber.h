// Fibers: stacks between which one OS thread switches by itself. A CUDA thread that has to wait stays on its
// fiber while the OS thread runs other CUDA threads of the block on other fibers.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <cstdint>

#include "../include/emulated/scheduler.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulated {

class Fiber {
 public:
  // Plenty for kernels; pages that nobody touches cost no memory. AddressSanitizer's frames are larger.
#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t stack_bytes = 1 << 20;
#else
  static constexpr std::size_t stack_bytes = 256 << 10;
#endif

  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  // Makes the fiber ready to call entry() when it is switched to for the first time. `index` numbers the
  // fibers of an OS thread: they start at different offsets in their pages, lest all stacks compete for the
  // same places of the CPU's cache (twice as fast at 1024 threads).
  void prepare(void (*entry)(), unsigned index);
  // Leaves `from`, which is running, and goes on in `to`. Returns when somebody switches back.
  static void switch_to(Fiber& from, Fiber& to);

  bool is_guard(const void* address) const;  // the memory below the stack, which only an overflow touches
  void* stack_top() const { return stack_ == nullptr ? nullptr : stack_ + stack_bytes; }

  // ---- the CUDA thread that runs here ----
  unsigned thread = 0;
  const char* waits_for = "";  // why it is suspended, and where
  Location at;
  const void* watched_address = nullptr;  // what it looked at when it gave way last
  std::uint64_t watched_value = 0;

 private:
  static void start(boost::context::detail::transfer_t transfer);
  static void arrive(boost::context::detail::transfer_t transfer, void* fake_stack);

  boost::context::detail::fcontext_t context_ = nullptr;
  void (*entry_)() = nullptr;
  char* stack_ = nullptr;
  // What AddressSanitizer wants to know.
  void* fake_stack_ = nullptr;
  const void* known_bottom_ = nullptr;
  std::size_t known_size_ = 0;
};

// Both are inline because the processor mispredicts every return after a switch of stacks: the fewer calls,
// the better.
[[gnu::always_inline]] inline void Fiber::switch_to(Fiber& from, Fiber& to) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.fake_stack_, to.known_bottom_, to.known_size_);
#endif
  const boost::context::detail::transfer_t transfer =
      boost::context::detail::jump_fcontext(to.context_, &from);
  arrive(transfer, from.fake_stack_);
}

// The first code after a switch: remembers where the other side stopped.
[[gnu::always_inline]] inline void Fiber::arrive(boost::context::detail::transfer_t transfer,
                                                 [[maybe_unused]] void* fake_stack) {
  Fiber& other = *static_cast<Fiber*>(transfer.data);
  other.context_ = transfer.fctx;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake_stack, &other.known_bottom_, &other.known_size_);
#endif
}

}  // namespace emulated
