// Faults of a kernel: a wrong address, a failed assert. On hardware they end the kernel and every later call
// returns the error; here the same, with a sentence that tells where.
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

#include <dlfcn.h>

#include "memory_arena.h"
#include "memory_list.h"
#include "worker.h"

namespace emulated {

// ---- signals ----
// AddressSanitizer reports wrong addresses itself, with more detail.
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(__SANITIZE_ADDRESS__)

namespace {

// What the handler leaves for land().
thread_local int fault_signal = 0;
thread_local const void* fault_address = nullptr;
thread_local const void* fault_instruction = nullptr;

// Writes " at FILE:LINE" of an instruction, from the debugging information; nothing when addr2line is not
// installed.
template <std::size_t Size>
void write_source_line(const void* instruction, char (&text)[Size]) {
  text[0] = '\0';
  Dl_info info;
  if (dladdr(instruction, &info) == 0) return;
  const auto offset = static_cast<const char*>(instruction) - static_cast<const char*>(info.dli_fbase);
  char command[200], line[Size - 10] = "";
  std::snprintf(command, sizeof command, "addr2line -e /proc/%d/exe 0x%zx 2>/dev/null",
                static_cast<int>(getpid()), static_cast<std::size_t>(offset));
  FILE* pipe = popen(command, "r");
  if (pipe == nullptr) return;
  if (std::fgets(line, sizeof line, pipe) != nullptr && line[0] != '?') {
    line[std::strcspn(line, " \n")] = '\0';
    std::snprintf(text, Size, " at %s", line);
  }
  pclose(pipe);
}

// The thread continues here after the signal, as if it had called this function.
[[noreturn]] void land() {
  char at[1000], sentence[1200];  // no std::string may be alive when the frame is left behind
  write_source_line(fault_instruction, at);
  cudaError_t error = cudaErrorIllegalAddress;
  if (fault_signal == SIGFPE) {
    error = cudaErrorLaunchFailure;
    std::snprintf(sentence, sizeof sentence,
                  "an integer is divided by zero%s (hardware goes on with any number)", at);
  } else if (worker->current->is_guard(fault_address)) {
    error = cudaErrorLaunchFailure;
    std::snprintf(sentence, sizeof sentence, "the thread's stack overflows%s", at);
  } else {
    std::snprintf(sentence, sizeof sentence, "an illegal address, 0x%zx, is accessed%s",
                  reinterpret_cast<std::size_t>(fault_address), at);
  }
  device_fault(error, sentence);
}

std::uintptr_t instruction_of(void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
#else
  return registers.pc;
#endif
}

void handle(int signal, siginfo_t* info, void* context) {
  if (!inside_kernel || worker == nullptr || worker->current->stack_top() == nullptr) {
    ::signal(signal, SIG_DFL);  // not ours: the instruction is repeated and ends the program
    if (signal != SIGSEGV || !device_arena().contains(info->si_addr)) return;
    char at[1000];
    write_source_line(reinterpret_cast<const void*>(instruction_of(context)), at);
    allocations().explain_host_access(info->si_addr, at);
    return;
  }
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
  fault_signal = signal;
  fault_address = info->si_addr;
  // The kernel's frames are not needed any more: land() gets the whole stack.
  const auto top = reinterpret_cast<std::uintptr_t>(worker->current->stack_top()) - 256;
#if defined(__x86_64__)
  fault_instruction =
      reinterpret_cast<const void*>(registers.gregs[REG_RIP]);  // NOLINT(performance-no-int-to-ptr)
  registers.gregs[REG_RSP] = static_cast<greg_t>(top / 16 * 16 - 8);
  registers.gregs[REG_RIP] = reinterpret_cast<greg_t>(&land);
#else
  fault_instruction = reinterpret_cast<const void*>(registers.pc);  // NOLINT(performance-no-int-to-ptr)
  registers.sp = top / 16 * 16;
  registers.pc = reinterpret_cast<std::uintptr_t>(&land);
#endif
}

// A stack for the handler: the thread's own may be the problem.
void use_signal_stack() {
  constexpr std::size_t bytes = 64 << 10;
  struct Stack {
    std::unique_ptr<char[]> memory = std::make_unique<char[]>(bytes);
    Stack() {
      stack_t stack = {};
      stack.ss_sp = memory.get();
      stack.ss_size = bytes;
      sigaltstack(&stack, nullptr);
    }
    ~Stack() {
      stack_t stack = {};
      stack.ss_flags = SS_DISABLE;
      sigaltstack(&stack, nullptr);
    }
  };
  static thread_local Stack stack;
}

}  // namespace

void catch_signals() {
  use_signal_stack();
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = &handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE}) sigaction(signal, &action, nullptr);
  });
}

#else

void catch_signals() {}

#endif

}  // namespace emulated

// ---- assert ----
// What the C library's assert() calls. In a kernel the message is CUDA's.
extern "C" [[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line,
                                           const char* function) noexcept {
  if (emulated::in_kernel()) {
    uint3 block, thread;
    emulated::running->launch.present(block, thread);
    if (emulated::first_to_fail(cudaErrorAssert))
      std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
                   line, function, block.x, block.y, block.z, thread.x, thread.y, thread.z, expression);
    emulated::leave_block();
  }
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  std::abort();
}
