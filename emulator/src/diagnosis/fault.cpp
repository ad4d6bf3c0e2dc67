// Faults of a kernel: a wrong address, a failed assert. On hardware they end the kernel and every later call
// returns the error; here the same, with a sentence that tells where.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <cxxabi.h>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <set>
#include <string_view>

#include "fault.h"

#include "diagnosis.h"
#include "emulated/explain_hooks.h"
#include "launch/worker.h"
#include "memory/arena.h"
#include "memory/list.h"

namespace emulated {

// ---- where in the program? ----
namespace {

// What the program is, and what only libraries it calls.
const void* base_of(const void* instruction) {
  Dl_info info;
  return dladdr(instruction, &info) == 0 ? nullptr : info.dli_fbase;
}
const void* base_of_program() { return base_of(reinterpret_cast<const void*>(&base_of)); }

// Whether "FILE:LINE" is in a header of the system, as the loops of std::copy are, and printf() where the
// compiler replaces it by a checked one (_FORTIFY_SOURCE, on Ubuntu by default), or in one of the device's own.
bool in_library_header(std::string_view line) {
  // NAME/include/emulated/...: CUDA's headers are in NAME/include/, too, the packs' in NAME/packs/.
  const std::string_view own = explain::own_header, folder = own.substr(0, own.rfind("/include/emulated/")),
                         name = folder.substr(folder.rfind('/') + 1);
  const auto within = [&](std::string_view place) {
    for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1))
      if (at > 0 && line[at - 1] == '/' && line.substr(at + name.size()).starts_with(place)) return true;
    return false;
  };
  return line.starts_with("/usr/include/") || line.starts_with("/usr/lib/") || within("/include/") ||
         within("/packs/");
}

// Writes " at FILE:LINE" of an instruction, from the debugging information; nothing when addr2line is not
// installed. Of functions that were inlined into one another the innermost counts that is the program's own.
// Neither this nor what calls it allocates memory: a damaged heap may be the fault.
template <std::size_t Size>
void write_source_line(const void* instruction, char (&text)[Size]) {
  text[0] = '\0';
  const void* base = base_of(instruction);
  if (base == nullptr) return;
  char program[64], offset[32], chunk[256], line[Size - 10];
  std::snprintf(program, sizeof program, "/proc/%d/exe", static_cast<int>(getpid()));
  std::snprintf(
      offset, sizeof offset, "0x%zx",
      static_cast<std::size_t>(static_cast<const char*>(instruction) - static_cast<const char*>(base)));
  int ends[2];
  if (pipe(ends) != 0) return;
  const pid_t child = vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork): fork would allocate
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execlp("addr2line", "addr2line", "-i", "-e", program, offset, static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  std::size_t length = 0;
  bool found = child < 0;
  while (!found) {
    const ssize_t n = read(ends[0], chunk, sizeof chunk);
    if (n <= 0) break;
    for (ssize_t i = 0; i < n && !found; ++i) {
      if (chunk[i] != '\n') {
        if (length < sizeof line - 1) line[length++] = chunk[i];
        continue;
      }
      line[length] = '\0';
      line[std::strcspn(line, " ")] = '\0';  // a discriminator may follow
      length = 0;
      found = !in_library_header(line);
      if (line[0] != '?' && (found || text[0] == '\0')) std::snprintf(text, Size, " at %s", line);
    }
  }
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
}

// The place in the program from which a library function was called: the first of the callers after the
// library's own.
const void* caller_in_program() {
  void* frames[64];
  const int count = backtrace(frames, 64);
  const void* program = base_of_program();
  bool in_library = false;
  for (int i = 0; i < count; ++i) {
    const void* instruction = static_cast<const char*>(frames[i]) - 1;  // of the call
    if (base_of(instruction) != program)
      in_library = true;
    else if (in_library)
      return instruction;
  }
  return nullptr;
}

// Ends the kernel: "SENTENCE at FILE:LINE".
[[noreturn]] void fault_at(const void* instruction, cudaError_t error, const char* sentence) {
  char at[1000], text[1500];  // no std::string may be alive when the frame is left behind
  write_source_line(instruction, at);
  std::snprintf(text, sizeof text, "%s%s", sentence, at);
  device_fault(error, text);
}

// ---- exceptions ----
// Nobody catches what a kernel throws, so the C++ runtime comes here before it leaves any frame.
std::terminate_handler terminate_on_host = nullptr;

[[noreturn]] void terminate() {
  if (!inside_kernel) {
    terminate_on_host();
    std::abort();
  }
  char sentence[300] = "std::terminate() was called";
  if (std::current_exception() != nullptr) {
    try {
      throw;
    } catch (const std::exception& exception) {
      std::snprintf(sentence, sizeof sentence, "an exception is thrown (%s), which a kernel cannot do",
                    exception.what());
    } catch (...) {
      std::snprintf(sentence, sizeof sentence, "an exception is thrown, which a kernel cannot do");
    }
  }
  const void* instruction = caller_in_program();
  if (std::current_exception() != nullptr) abi::__cxa_end_catch();
  fault_at(instruction, cudaErrorLaunchFailure, sentence);
}

}  // namespace

// ---- signals ----
// AddressSanitizer reports wrong addresses itself, with more detail.
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(__SANITIZE_ADDRESS__)

namespace {

// What the handler leaves for land().
thread_local int fault_signal = 0;
thread_local const void* fault_address = nullptr;
thread_local const void* fault_instruction = nullptr;
thread_local bool fault_without_address = false;

// The thread continues here after the signal, as if it had called this function.
[[noreturn]] void land() {
  switch (fault_signal) {
    case SIGFPE:
      fault_at(fault_instruction, cudaErrorLaunchFailure,
               "an integer is divided by zero, or the smallest one by -1 (a GPU goes on with some number)");
    case SIGABRT:
      fault_at(fault_instruction, cudaErrorLaunchFailure,
               "abort() was called, by the kernel or by the C library for it");
    case SIGILL:  // x86-64
    case SIGTRAP:
      fault_at(fault_instruction, cudaErrorLaunchFailure,
               "__builtin_trap() was called, or the compiler knows that what stands here cannot be done");
    default:
      break;
  }
  if (worker()->current->is_guard(fault_address))
    fault_at(fault_instruction, cudaErrorLaunchFailure, "the thread's stack overflows");
  char sentence[200];
  if (base_of(fault_instruction) == nullptr) {
    std::snprintf(sentence, sizeof sentence,
                  "the thread goes to 0x%zx, where no code is: it wrote beyond a local array and over its own stack, "
                  "or called what is no function",
                  reinterpret_cast<std::size_t>(fault_instruction));
    fault_at(nullptr, cudaErrorIllegalAddress, sentence);
  }
  if (fault_without_address)
    fault_at(fault_instruction, cudaErrorMisalignedAddress,
             "a misaligned address is accessed, or one that no pointer can hold");
  std::snprintf(sentence, sizeof sentence, "an illegal address, 0x%zx, is accessed",
                reinterpret_cast<std::size_t>(fault_address));
  fault_at(fault_instruction, cudaErrorIllegalAddress, sentence);
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
  if (!inside_kernel || worker() == nullptr || worker()->current->stack_top() == nullptr) {
    ::signal(signal, SIG_DFL);  // not ours: the instruction is repeated and ends the program
    if (signal != SIGSEGV || !device_arena().contains(info->si_addr)) return;
    const void* instruction =
        reinterpret_cast<const void*>(instruction_of(context));  // NOLINT(performance-no-int-to-ptr)
    if (base_of(instruction) != base_of_program())
      if (const void* caller = caller_in_program()) instruction = caller;
    char at[1000];
    write_source_line(instruction, at);
    allocations().explain_host_access(info->si_addr, at);
    return;
  }
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
  fault_signal = signal;
  fault_address = info->si_addr;
  // What x86-64 says of vectors that are not aligned and of addresses of more than 48 bits: nothing more.
  fault_without_address = signal == SIGSEGV && info->si_code == SI_KERNEL;
  // The kernel's frames are not needed any more: land() gets the whole stack. Its return address is 0, where whoever looks
  // for callers stops.
  const auto top = reinterpret_cast<std::uintptr_t>(worker()->current->stack_top()) - 256;
#if defined(__x86_64__)
  fault_instruction =
      reinterpret_cast<const void*>(registers.gregs[REG_RIP]);  // NOLINT(performance-no-int-to-ptr)
#else
  fault_instruction = reinterpret_cast<const void*>(registers.pc);  // NOLINT(performance-no-int-to-ptr)
#endif
  // In a library function: where was it called?
  if (base_of(fault_instruction) != nullptr && base_of(fault_instruction) != base_of_program())
    if (const void* caller = caller_in_program()) fault_instruction = caller;
#if defined(__x86_64__)
  registers.gregs[REG_RSP] = static_cast<greg_t>(top / 16 * 16 - 8);
  *reinterpret_cast<void**>(top / 16 * 16 - 8) = nullptr;  // NOLINT(performance-no-int-to-ptr)
  registers.gregs[REG_RIP] = reinterpret_cast<greg_t>(&land);
#else
  registers.sp = top / 16 * 16;
  registers.regs[30] = 0;
  registers.pc = reinterpret_cast<std::uintptr_t>(&land);
#endif
}

void install_handlers() {
  struct sigaction action = {};
  action.sa_sigaction = &handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGTRAP})
    sigaction(signal, &action, nullptr);
}

}  // namespace

#else

namespace {
void install_handlers() {}
}  // namespace

#endif

void catch_signals() {
  static std::once_flag once;
  std::call_once(once, [] {
    void* frame;
    backtrace(&frame, 1);  // loads what it needs now, and not when memory is damaged
    terminate_on_host = std::set_terminate(&terminate);
    install_handlers();
  });
}

void fault_in_caller(const void* instruction, const char* sentence) {
  fault_at(static_cast<const char*>(instruction) - 1, cudaErrorLaunchFailure, sentence);
}

}  // namespace emulated

// ---- assert ----
// What the C library's assert() calls. In a kernel the message is CUDA's.
extern "C" __attribute__((noreturn)) void __assert_fail(const char* expression, const char* file,
                                                        unsigned line, const char* function) noexcept {
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

// ---- exit ----
// A kernel cannot end the program: on hardware this does not even compile.
extern "C" void exit(int code) noexcept {
  if (emulated::in_kernel())
    emulated::fault_in_caller(__builtin_return_address(0), "exit() was called, which a kernel cannot do");
  reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "exit"))(code);
  __builtin_unreachable();
}
