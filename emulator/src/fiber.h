// Fibers: stacks between which one OS thread switches by itself. A CUDA thread that has to wait stays on its
// fiber while the OS thread runs other CUDA threads of the block on other fibers.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <cstdint>

#include "../include/emulated/scheduler.h"

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

  bool is_guard(const void* address) const;  // the page below the stack, which only an overflow touches
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

}  // namespace emulated
