#include "fiber.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace context = boost::context::detail;

namespace emulated {

namespace {

constexpr std::size_t page = 4096;
// A process may have about 65,000 memory mappings, and each guard page costs two.
std::atomic<int> guards_left = 16000;

thread_local Fiber* arriving = nullptr;  // to whom the switch goes that is just being made

}  // namespace

Fiber::~Fiber() {
  if (stack_ != nullptr) munmap(stack_ - page, stack_bytes + page);
}

void Fiber::prepare(void (*entry)(), unsigned index) {
  if (stack_ == nullptr) {
    void* memory = mmap(nullptr, stack_bytes + page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      std::fputs("The emulated device cannot allocate the stack of a thread.\n", stderr);
      std::exit(1);
    }
    if (guards_left.fetch_sub(1) > 0) mprotect(memory, page, PROT_NONE);
    stack_ = static_cast<char*>(memory) + page;
  }
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(stack_, stack_bytes);  // frames that an ended kernel left behind
#endif
  known_bottom_ = stack_;
  known_size_ = stack_bytes;
  fake_stack_ = nullptr;
  entry_ = entry;
  constexpr std::size_t line = 64;
  const std::size_t colour = index * 5 % (page / line) * line;
  context_ = context::make_fcontext(stack_ + stack_bytes - colour, stack_bytes - page, &Fiber::start);
}

void Fiber::switch_to(Fiber& from, Fiber& to) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.fake_stack_, to.known_bottom_, to.known_size_);
#endif
  arriving = &to;
  const context::transfer_t transfer = context::jump_fcontext(to.context_, &from);
  arrive(transfer, from.fake_stack_);
}

// The first code after a switch: remembers where the other side stopped.
inline void Fiber::arrive(context::transfer_t transfer, [[maybe_unused]] void* fake_stack) {
  Fiber& other = *static_cast<Fiber*>(transfer.data);
  other.context_ = transfer.fctx;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake_stack, &other.known_bottom_, &other.known_size_);
#endif
}

void Fiber::start(context::transfer_t transfer) {
  Fiber& self = *arriving;
  arrive(transfer, nullptr);
  self.entry_();
}

bool Fiber::is_guard(const void* address) const {
  const char* byte = static_cast<const char*>(address);
  return stack_ != nullptr && byte >= stack_ - page && byte < stack_;
}

}  // namespace emulated
