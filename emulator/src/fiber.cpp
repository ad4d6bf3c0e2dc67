#include "fiber.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "worker.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace context = boost::context::detail;

namespace emulated {

namespace {

constexpr std::size_t page = 4096;
// Nobody may touch the memory below a stack. More than a page, because the frame of a function can be larger
// than one.
constexpr std::size_t guard = 64 << 10;
// A process may have about 65,000 memory mappings, and each guard page costs two.
std::atomic<int> guards_left = 16000;

}  // namespace

Fiber::~Fiber() {
  if (stack_ != nullptr) munmap(stack_ - guard, stack_bytes + guard);
}

void Fiber::prepare(void (*entry)(), unsigned index) {
  if (stack_ == nullptr) {
    void* memory = mmap(nullptr, stack_bytes + guard, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      std::fputs("The emulated device cannot allocate the stack of a thread.\n", stderr);
      std::exit(1);
    }
    if (guards_left.fetch_sub(1) > 0) mprotect(memory, guard, PROT_NONE);
    stack_ = static_cast<char*>(memory) + guard;
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

void Fiber::start(context::transfer_t transfer) {
  arrive(transfer, nullptr);
  worker->current->entry_();
}

bool Fiber::is_guard(const void* address) const {
  const char* byte = static_cast<const char*>(address);
  return stack_ != nullptr && byte >= stack_ - guard && byte < stack_;
}

}  // namespace emulated
