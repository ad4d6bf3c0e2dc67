#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include <cstdint>
#include <initializer_list>
#include <mutex>

#include "emulated/explain_hooks.h"
#include "platform.h"

namespace emulated {

#if defined(__SANITIZE_ADDRESS__)

void catch_faults() {}
SignalStack::SignalStack() = default;
SignalStack::~SignalStack() = default;

#else

namespace {

constexpr std::size_t signal_stack_bytes = 64 << 10;

thread_local Fault caught_fault;  // what the signal leaves for land()

// The thread continues here after the signal, as if it had called this function.
[[noreturn]] void land() { recover(caught_fault); }

// caller_in_program(), which reads the stack: where a kernel has written over its own, that may be a fault, too. Then
// nullptr.
thread_local sigjmp_buf behind_search;
thread_local bool searching = false;
const void* caller_if_found() {
  searching = sigsetjmp(behind_search, 0) == 0;
  const void* const caller = searching ? caller_in_program() : nullptr;
  searching = false;
  return caller;
}

decltype(Fault::kind) kind_of(int signal, int code) {
  switch (signal) {
    case SIGSEGV:
      return code == SI_KERNEL ? Fault::no_address : Fault::address;
    case SIGFPE:
      return Fault::division;
    case SIGABRT:
      return Fault::abort;
    case SIGILL:  // of x86-64
    case SIGTRAP:
      return Fault::trap;
    default:
      return Fault::address;
  }
}

void handle(int signal, siginfo_t* info, void* context) {
  if (searching) siglongjmp(behind_search, 1);
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  auto& stack_pointer = registers.gregs[REG_RSP];
  auto& instruction = registers.gregs[REG_RIP];
#else
  auto& stack_pointer = registers.sp;
  auto& instruction = registers.pc;
#endif
  caught_fault.kind = kind_of(signal, info->si_code);
  caught_fault.address_used = info->si_addr;
  caught_fault.instruction = reinterpret_cast<const void*>(instruction);  // NOLINT(performance-no-int-to-ptr)
  void* const stack = stack_for_recovery();
  if (stack == nullptr) {
    ::signal(signal, SIG_DFL);  // not ours: the instruction is repeated and ends the program
    if (!is_host_access(caught_fault)) return explain::ends_by_signal(signal);
  }
  // In a library function: where was it called?
  if (image_at(caught_fault.instruction) == Image::code && !in_program(caught_fault.instruction))
    if (const void* caller = caller_if_found()) caught_fault.instruction = caller;
  if (stack == nullptr) {
    tell_host_access(caught_fault);
    return explain::ends_by_signal(signal);
  }
  // land()'s return address is 0, where a search for callers stops.
  const std::uintptr_t top = (reinterpret_cast<std::uintptr_t>(stack) - 256) / 16 * 16;
#if defined(__x86_64__)
  stack_pointer = static_cast<greg_t>(top - 8);  // as a call leaves it
  *reinterpret_cast<void**>(top - 8) = nullptr;  // NOLINT(performance-no-int-to-ptr)
  instruction = reinterpret_cast<greg_t>(&land);
#else
  stack_pointer = top;
  registers.regs[30] = 0;
  instruction = reinterpret_cast<std::uintptr_t>(&land);
#endif
}

}  // namespace

void catch_faults() {
  static std::once_flag once;
  std::call_once(once, [] {
    caller_in_program();  // loads what it needs now, and not when memory is damaged
    struct sigaction action = {};
    action.sa_sigaction = &handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGTRAP})
      sigaction(signal, &action, nullptr);
  });
}

SignalStack::SignalStack() : memory_(new char[signal_stack_bytes]) {
  stack_t stack = {};
  stack.ss_sp = memory_;
  stack.ss_size = signal_stack_bytes;
  sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
  stack_t stack = {};
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  delete[] memory_;
}

#endif

}  // namespace emulated
