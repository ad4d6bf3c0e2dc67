// All that the device needs of the operating system and the processor, but for the change of stacks
// (fiber.h): another system is other sources next to these.
#pragma once

#include <pthread.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace emulated {

// ---- ranges of addresses (addresses.cpp) ----
/// The least that the functions below can treat otherwise than its neighbors: 4 KiB on x86-64, as
/// much or 16 or 64 on arm64. A power of two.
std::size_t page_bytes();
/// Addresses without memory; nullptr: there are not so many.
void* reserve_addresses(std::size_t bytes);
/// From now on the range may be touched, or not. It gets memory when it is touched.
bool set_access(void* begin, std::size_t bytes, bool accessible);
/// Gives the range's memory back and keeps its addresses, which may not be touched then.
bool drop_memory(void* begin, std::size_t bytes);
/// Takes large pages, if there are any.
void prefer_large_pages(void* begin, std::size_t bytes);
/// Is there memory at the address at all?
bool is_mapped(const void* address);
/// What lies there of the program's or a library's own image, where variables with static storage
/// are (__device__ variables among them)?
enum class Image { none, data, code };
Image image_at(const void* address);
/// A variable with static storage of the program itself.
struct ProgramVariable {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::string symbol;
  std::string name() const;  ///< as the program calls it, without namespaces
};
/// The one that lies there; nullptr: none, or not known.
const ProgramVariable* program_variable(const void* address);
/// The name of the class of the program whose objects begin with this address: that of the table of
/// its virtual functions, which the compiler has put there. Empty: it is no such table.
std::string class_of_table(const void* table);

// ---- the program's instructions (program.cpp) ----
/// addr2line, which knows the lines of the program's source. It reads places in the program's file
/// from `questions`, one per line ("0x1234"), and answers each with the place again, then, for each
/// function that was inlined there, from the innermost on, a line with its name and one with
/// "FILE:LINE", which `discriminator` and a number may follow.
struct Addr2line {
  int questions = -1;  ///< -1: addr2line is not installed
  int answers = -1;
  int process = -1;
};
inline constexpr char discriminator[] = " (discriminator ";
/// Allocates no memory: a damaged heap may be what is asked about.
Addr2line start_addr2line();
/// Writes " at FILE:LINE" of an instruction, from the debugging information; nothing when
/// addr2line is not installed. Among functions that were inlined into one another, the
/// innermost that is not the system's counts.
void write_source_line(const void* instruction, char* text, std::size_t size);
/// The place in the program from which a library function was called: the first of the callers
/// after the library's own. nullptr: there is none.
const void* caller_in_program();
/// Is standard error a terminal?
bool error_is_terminal();
/// Is the instruction the program's own, not a library's?
bool in_program(const void* instruction);
/// Is the file in a header of the device, or of the system? "FILE" or "FILE:LINE".
bool in_library_header(std::string_view file);
/// Ends the program, with exit code 1, to which the machine cannot give what it needs. `what` is a
/// sentence's beginning.
[[noreturn]] void give_up(const char* what);

// ---- faults (signals.cpp) ----
struct Fault {
  // no_address: x86-64 says nothing more of vectors that are not aligned and of
  // addresses of more than 48 bits. arm64: an atomic access is not aligned.
  // endless: none; the thread is in a loop that never ends.
  enum { address, no_address, division, abort, trap, endless } kind = address;
  const void* address_used = nullptr;
  const void* instruction = nullptr;  // in the program: that which faults or calls the library
};
/// From the first call on, faults come to the functions below. AddressSanitizer reports wrong
/// addresses itself, with more detail: in its build this does nothing.
void catch_faults();
/// Makes this OS thread call ends_here().
void ask_for_state(pthread_t thread);
/// Is the loop to be ended in which this OS thread is at this instruction, with this on its stack
/// and above? `registers`: a hash of the values of those that are not there. (../warps/endless.cpp)
bool ends_here(const void* instruction, const char* stack, std::uint64_t registers);
// What the device does about a fault (../diagnosis/fault.cpp):
/// The end of a stack on which recover() may run; nullptr: the fault is no kernel's.
void* stack_for_recovery();
[[noreturn]] void recover(const Fault& fault);
/// Is it one of the host's that has to be reported, before the program ends?
bool is_host_access(const Fault& fault);
/// Says why a fault of the host's ends the program.
void tell_end(int signal, const Fault& fault);
/// Is it one of the host's that is only reported? Then the instruction is repeated.
bool is_early_access(const Fault& fault);
bool tell_early_access(const Fault& fault);
/// From the first call on, an exception that leaves a kernel's thread ends the kernel.
void catch_exceptions();

/// A stack for signals: that of the OS thread which has it may be the problem.
class SignalStack {
 public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  char* memory_ = nullptr;
};

// ---- OS threads (os_threads.cpp) ----
/// Calls `end` with this object at the OS thread's end, unless it is the main thread. Unlike a
/// thread_local object's destructor it needs no memory, without which the C library would abort.
void at_thread_end(void (*end)(void*), void* object);
/// Runs a function without end in an OS thread of its own, which gets none of the program's
/// signals. Without one where there is none.
void start_without_signals(void (*function)());
/// The processor's time that this thread has taken.
std::chrono::nanoseconds thread_time();
/// Says to the processor that a loop waits.
inline void pause_processor() {
#if defined(__x86_64__)
  _mm_pause();
#else
  asm volatile("" ::: "memory");
#endif
}

// ---- stacks ----
/// A function that begins with __builtin_unwind_init() keeps the registers of its caller in its
/// frame: so many bytes below its frame address they begin. On x86-64 they are pushed below that
/// address; on arm64 it is the frame's lower end, and what lies below is whatever was called last.
#if defined(__x86_64__)
constexpr std::ptrdiff_t saved_below_frame = 5 * sizeof(void*);
#else
constexpr std::ptrdiff_t saved_below_frame = 0;
#endif

}  // namespace emulated
