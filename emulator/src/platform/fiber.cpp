#include "fiber.h"

#include <sys/mman.h>

#include <atomic>

#include "platform.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

// The registers that a called function must keep are, by the platforms' calling conventions: rbx,
// rbp, r12 to r15 on x86-64; x19 to x30 and the lower halves of v8 to v15 on arm64.
// The end is a jump, not a return: the processor predicts that a return leads to what comes after
// the last call, which another CUDA thread made, perhaps at another barrier. A jump is predicted by
// where the last ones led. On arm64 x30 is 0 then: what begins there has no caller.
#if defined(__x86_64__)
asm(R"(
.text
.globl emulated_switch_stack
.type emulated_switch_stack, @function
emulated_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size emulated_switch_stack, . - emulated_switch_stack
)");
constexpr std::size_t saved_words = 7, return_word = 6;
#elif defined(__aarch64__)
asm(R"(
.text
.globl emulated_switch_stack
.type emulated_switch_stack, %function
emulated_switch_stack:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x9, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  mov x30, xzr
  br x9
.size emulated_switch_stack, . - emulated_switch_stack
)");
constexpr std::size_t saved_words = 20, return_word = 11;
#else
#error "The emulated device switches stacks on x86-64 and arm64 only: see emulated_switch_stack."
#endif

namespace emulated {

namespace {

constexpr std::size_t cache_line = 64;
// Where stacks begin differs by up to this, the memory after which the second cache's places repeat
// (Zen 5; twice that on some processors).
constexpr std::size_t spread = 64 << 10;
// The memory below a stack allows no access. Larger than any one frame that CUDA allows (512 KiB),
// so that no frame reaches over it.
constexpr std::size_t guard = 640 << 10;
// Nor does the memory above: a write that runs beyond a local array ends there.
constexpr std::size_t upper_guard = 64 << 10;
// A process may have about 65,000 memory mappings, and each guard costs two.
std::atomic<int> guards_left = 16000;

}  // namespace

#if defined(__SANITIZE_ADDRESS__)
thread_local constinit Fiber *Fiber::left = nullptr, *Fiber::entered = nullptr;
#endif

Fiber::~Fiber() {
#if defined(__SANITIZE_THREAD__)
  if (stack_ != nullptr && known_fiber_ != nullptr) __tsan_destroy_fiber(known_fiber_);
#endif
  if (stack_ != nullptr) munmap(stack_ - guard, guard + stack_bytes + upper_guard);
}

void Fiber::prepare(void (*entry)(), unsigned index) {
  if (stack_ == nullptr) {
    void* memory = mmap(nullptr, guard + stack_bytes + upper_guard, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) give_up("the stacks of a block's threads do not fit into memory");
    stack_ = static_cast<char*>(memory) + guard;
    if (guards_left.fetch_sub(1) > 0) {
      mprotect(memory, guard, PROT_NONE);
      mprotect(stack_ + stack_bytes, upper_guard, PROT_NONE);
    }
  }
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(stack_ + stack_bytes - 2 * spread,
                                2 * spread);  // the last block's run_fiber()
  known_bottom_ = stack_;
  known_size_ = stack_bytes;
  fake_stack_ = nullptr;
  entry_ = entry;
  entry = &Fiber::start;
#elif defined(__SANITIZE_THREAD__)
  if (known_fiber_ != nullptr)
    __tsan_destroy_fiber(known_fiber_);  // with the calls that it never returned from
  known_fiber_ = __tsan_create_fiber(0);
#endif
  // What emulated_switch_stack would have left there, had entry() called it with
  // nothing in its registers. Above it a return address of 0, where debuggers and
  // exceptions stop to look for callers.
  const std::size_t offset = index * 5 % (spread / cache_line) * cache_line;
  top_ = stack_ + stack_bytes - cache_line - offset;
  void** top = reinterpret_cast<void**>(top_);
  void** registers = top - (saved_words + saved_words % 2);
  for (void** word = registers; word < top; ++word) *word = nullptr;
  registers[return_word] = reinterpret_cast<void*>(entry);
  stack_pointer_ = registers;
}

#if defined(__SANITIZE_ADDRESS__)
void Fiber::start() {
  __sanitizer_finish_switch_fiber(nullptr, &left->known_bottom_, &left->known_size_);
  entered->entry_();
}
#endif

void Fiber::forget_frames() const {
#if defined(__SANITIZE_ADDRESS__)
  if (stack_ != nullptr) __asan_unpoison_memory_region(stack_, stack_bytes);
#endif
}

bool Fiber::is_guard(const void* address) const {
  const char* byte = static_cast<const char*>(address);
  return stack_ != nullptr && byte >= stack_ - guard && byte < stack_;
}

}  // namespace emulated
