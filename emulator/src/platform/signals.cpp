#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <mutex>

#include "emulated/explain_hooks.h"
#include "platform.h"

namespace emulated {

#if defined(__SANITIZE_ADDRESS__)

// What the host does not free is not looked for: many a program leaves that to its end. Asked by
// the sanitizer's library.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

void catch_faults() {}
void ask_for_state(pthread_t) {}
SignalStack::SignalStack() = default;
SignalStack::~SignalStack() = default;

#else

namespace {

constexpr std::size_t signal_stack_bytes = 64 << 10;

thread_local Fault caught_fault;  // what the signal leaves for land()

// The thread continues here after the signal, as if it had called this function.
[[noreturn]] void land() { recover(caught_fault); }

// caller_in_program(), which reads the stack: where a kernel has written over its own, that may be
// a fault, too. Then nullptr.
thread_local sigjmp_buf after_search;
thread_local bool searching = false;
const void* caller_if_found() {
  searching = sigsetjmp(after_search, 0) == 0;
  const void* const caller = searching ? caller_in_program() : nullptr;
  searching = false;
  return caller;
}

// Below its stack's end a function may use so many bytes as well (System V ABI, AMD64, 3.2.2).
constexpr std::ptrdiff_t red_zone = 128;

// One that programs hardly use themselves.
int state_signal() { return SIGRTMAX - 7; }

// A hash of the values of all registers; x86-64's vectors are in the XSAVE area (Linux,
// arch/x86/include/uapi/asm/sigcontext.h).
std::uint64_t hash_of_registers(const mcontext_t& machine) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  const auto add = [&hash](const void* begin, std::size_t bytes) {
    for (std::size_t i = 0; i + sizeof hash <= bytes; i += sizeof hash) {
      std::uint64_t word = 0;
      std::memcpy(&word, static_cast<const char*>(begin) + i, sizeof word);
      hash = (hash ^ word) * 0x100000001b3ull;
      hash ^= hash >> 29;
    }
  };
#if defined(__x86_64__)
  add(machine.gregs, sizeof machine.gregs);
  constexpr std::size_t legacy_bytes = 512;
  constexpr std::size_t software = 464;
  constexpr std::uint32_t magic = 0x46505853;
  std::uint32_t words[5] = {};  // magic, extended_size, the features (8 bytes), xstate_size
  std::memcpy(words, reinterpret_cast<const char*>(machine.fpregs) + software, sizeof words);
  add(machine.fpregs, words[0] == magic ? words[4] : legacy_bytes);
#else
  add(&machine, sizeof machine);
#endif
  return hash;
}

decltype(Fault::kind) kind_of(int signal, int code) {
  switch (signal) {
    case SIGSEGV:
      return code == SI_KERNEL ? Fault::no_address : Fault::address;
    case SIGBUS:  // of arm64: atomic instructions demand it
      return code == BUS_ADRALN ? Fault::no_address : Fault::address;
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

#if defined(__x86_64__)
// The smallest integer divided by -1 is a fault here; a GPU's quotient wraps, as all its integers
// do, to the smallest integer, and the remainder is 0. Does the instruction do that? Then its
// results are put in place and it is passed.
bool wrap_quotient(mcontext_t& machine) {
  constexpr int numbers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                             REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                             REG_R12, REG_R13, REG_R14, REG_R15};
  const auto number = [&](unsigned i) -> greg_t& { return machine.gregs[numbers[i]]; };
  // Intel's manual, volume 2, chapter 2: prefixes, REX, F7 /7, ModRM, SIB, displacement.
  const auto instruction = machine.gregs[REG_RIP];
  const auto* code = reinterpret_cast<const unsigned char*>(instruction);  // NOLINT
  std::uintptr_t address = 0;
  if (*code == 0x64) {  // of thread-local memory
    address = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
    ++code;
  }
  const unsigned rex = (*code & 0xf0) == 0x40 ? *code++ : 0;
  const bool is_long = (rex & 8) != 0;
  if (code[0] != 0xf7 || (code[1] >> 3 & 7) != 7) return false;  // no IDIV of 32 or 64 bits
  const unsigned mode = code[1] >> 6;
  const unsigned base = code[1] & 7;
  code += 2;
  const auto displacement = [&]<class T>(T value) {
    std::memcpy(&value, code, sizeof value);
    code += sizeof value;
    return static_cast<std::uintptr_t>(static_cast<std::intptr_t>(value));
  };

  std::int64_t divisor = 0;
  if (mode == 3) {
    divisor = number(base | (rex & 1) << 3);
  } else {
    bool relative = mode == 0 && base == 5;
    bool absolute = false;
    if (base == 4) {
      const unsigned sib = *code++;
      const unsigned index = (sib >> 3 & 7) | (rex & 2) << 2;
      absolute = mode == 0 && (sib & 7) == 5;
      if (!absolute) address += static_cast<std::uintptr_t>(number((sib & 7) | (rex & 1) << 3));
      if (index != 4) address += static_cast<std::uintptr_t>(number(index)) << (sib >> 6);
    } else if (!relative) {
      address += static_cast<std::uintptr_t>(number(base | (rex & 1) << 3));
    }
    if (mode == 1)
      address += displacement(std::int8_t());
    else if (mode == 2 || relative || absolute)
      address += displacement(std::int32_t());
    if (relative) address += reinterpret_cast<std::uintptr_t>(code);
    std::memcpy(&divisor,
                reinterpret_cast<const void*>(address),  // NOLINT(performance-no-int-to-ptr)
                is_long ? sizeof(std::int64_t) : sizeof(std::int32_t));
  }
  if ((is_long ? divisor : static_cast<std::int32_t>(divisor)) != -1) return false;

  machine.gregs[REG_RAX] =
      is_long ? std::numeric_limits<std::int64_t>::min() : std::int64_t{1} << 31;
  machine.gregs[REG_RDX] = 0;
  machine.gregs[REG_RIP] = reinterpret_cast<greg_t>(code);
  return true;
}
#endif

// All that the compiler leaves of some loops without end.
bool branches_to_itself(const void* instruction) {
#if defined(__x86_64__)
  constexpr unsigned char branch[] = {0xeb, 0xfe};
#else
  constexpr unsigned char branch[] = {0, 0, 0, 0x14};
#endif
  return in_program(instruction) && std::memcmp(instruction, branch, sizeof branch) == 0;
}

void handle(int signal, siginfo_t* info, void* context) {
  const bool asked = signal == state_signal();
  if (searching && asked) return;
  if (searching) siglongjmp(after_search, 1);
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  auto& stack_pointer = registers.gregs[REG_RSP];
  auto& instruction = registers.gregs[REG_RIP];
#else
  auto& stack_pointer = registers.sp;
  auto& instruction = registers.pc;
#endif
  // The pack explain may hold a lock elsewhere, and reports the state itself where it does not.
  if (asked && explain::on &&
      !branches_to_itself(
          reinterpret_cast<const void*>(instruction)))  // NOLINT(performance-no-int-to-ptr)
    return;
  if (asked &&
      !ends_here(
          reinterpret_cast<const void*>(instruction),     // NOLINT(performance-no-int-to-ptr)
          reinterpret_cast<const char*>(stack_pointer) -  // NOLINT(performance-no-int-to-ptr)
              red_zone,
          hash_of_registers(registers)))
    return;
  caught_fault.kind = asked ? Fault::endless : kind_of(signal, info->si_code);
  caught_fault.address_used = info->si_addr;
  caught_fault.instruction =
      reinterpret_cast<const void*>(instruction);  // NOLINT(performance-no-int-to-ptr)
  void* const stack = stack_for_recovery();
#if defined(__x86_64__)
  if (signal == SIGFPE && stack != nullptr && wrap_quotient(registers)) return;
#endif
  const bool early = stack == nullptr && is_early_access(caught_fault);
  if (stack == nullptr && !early) {
    ::signal(signal, SIG_DFL);  // not ours: the instruction is repeated and ends the program
    if (!explain::on && !is_host_access(caught_fault)) return;
  }
  // In a library function: where was it called?
  if (image_at(caught_fault.instruction) == Image::code && !in_program(caught_fault.instruction))
    if (const void* caller = caller_if_found()) caught_fault.instruction = caller;
  if (early) return static_cast<void>(tell_early_access(caught_fault));  // and goes on
  if (stack == nullptr) {
    tell_end(signal, caught_fault);
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
    action.sa_flags |= SA_RESTART;
    sigaction(state_signal(), &action, nullptr);
  });
}

void ask_for_state(pthread_t thread) { pthread_kill(thread, state_signal()); }

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
