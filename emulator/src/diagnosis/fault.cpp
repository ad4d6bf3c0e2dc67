// Faults of a kernel: a wrong address, a failed assert. On hardware they end the kernel and every
// later call returns the error; here the same, with a sentence that says where.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>

#include "diagnosis.h"
#include "dropped.h"
#include "emulated/explain_hooks.h"
#include "memory/arena.h"
#include "memory/list.h"
#include "memory/managed.h"
#include "platform/platform.h"
#include "report.h"
#include "warps/block.h"

namespace emulated {

namespace {

// Ends the kernel: "SENTENCE at FILE:LINE", and what follows.
[[noreturn]] void fault_at(const void* instruction, cudaError_t error, const char* sentence,
                           const char* why = "") {
  // No std::string may be alive when the frame is left behind.
  char at[1000];
  char text[1500];
  write_source_line(instruction, at, sizeof at);
  std::snprintf(text, sizeof text, "%s%s%s", sentence, at, why);
  device_fault(error, text);
}

}  // namespace

// ---- wrong addresses and the like ----
void recover(const Fault& fault) {
  const auto fail = [&](const char* sentence) {
    fault_at(fault.instruction, cudaErrorLaunchFailure, sentence);
  };
  if (fault.kind == Fault::division) fail(divided_by_zero);
  if (fault.kind == Fault::endless && running->failed) leave_block();
  if (fault.kind == Fault::endless)
    fault_at(
        worker->loop, cudaErrorLaunchTimeout,
        "this loop never ends: its thread returns to the same state again and again, and memory "
        "does not change");
  if (fault.kind == Fault::abort) fail("abort() was called, by the kernel or for it");
  if (fault.kind == Fault::trap)
    fail(
        "__builtin_trap() was called, or the compiler knows that this statement cannot be "
        "executed");
  if (worker->current->is_guard(fault.address_used)) fail("the thread's stack overflows");
  char sentence[200];
  if (image_at(fault.instruction) != Image::code) {
    std::snprintf(
        sentence, sizeof sentence,
        "the thread jumps to 0x%zx, where there is no code: it wrote beyond a local array "
        "and over its own stack, or it called something that is not a function",
        reinterpret_cast<std::size_t>(fault.instruction));
    fault_at(nullptr, cudaErrorIllegalAddress, sentence);
  }
  if (fault.kind == Fault::no_address)
    fault_at(fault.instruction, cudaErrorMisalignedAddress,
             "a misaligned address is accessed, or one that no pointer can hold");
  std::snprintf(sentence, sizeof sentence, "an illegal address, 0x%zx, is accessed",
                reinterpret_cast<std::size_t>(fault.address_used));
  // An element of what a null pointer points to.
  constexpr std::size_t near_null = 1 << 20;
  char why[100] = "";
  if (running->null_argument != 0 && reinterpret_cast<std::size_t>(fault.address_used) < near_null)
    std::snprintf(why, sizeof why, "; argument %u of the kernel is a null pointer",
                  running->null_argument);
  fault_at(fault.instruction, cudaErrorIllegalAddress, sentence, why);
}

// ---- exceptions ----
// No GPU has them, but the host's library, which kernels can call here, throws some.
static std::terminate_handler terminate_before = nullptr;

[[noreturn]] static void end_by_exception() {
  if (!inside_kernel) terminate_before();
  char sentence[400] = "an exception is thrown, and GPUs have no exceptions";
  try {
    throw;
  } catch (const std::exception& exception) {
    std::snprintf(sentence, sizeof sentence,
                  "an exception is thrown, and GPUs have no exceptions: %.300s", exception.what());
  } catch (...) {
  }
  fault_at(caller_in_program(), cudaErrorLaunchFailure, sentence);
}

void catch_exceptions() {
  static std::once_flag once;
  std::call_once(once, [] { terminate_before = std::set_terminate(&end_by_exception); });
}

// Is it where a call stores the address of what it has allocated?
static bool is_result_place(const Fault& fault) {
  return storing_at != nullptr && fault.address_used == storing_at;
}

bool is_host_access(const Fault& fault) {
  return fault.kind == Fault::address &&
         (device_arena().contains(fault.address_used) ||
          (explain::on && host_arena().contains(fault.address_used)) || is_result_place(fault));
}

void tell_end(int signal, const Fault& fault) {
  char at[1000];
  if (is_result_place(fault))
    return report_error(
        text(present_dropped_call()).c_str(),
        "the call cannot store the memory's address at %p: it takes the address of the "
        "pointer, as in cudaMalloc(&p, bytes)",
        fault.address_used);
  write_source_line(fault.instruction, at, sizeof at);
  if (is_host_access(fault) && allocations().explain_host_access(fault.address_used, at)) return;
  count_error();
  std::fprintf(stderr, "error: the program ends by signal %d (%s) on the host%s\n", signal,
               strsignal(signal), at);
}

bool is_early_access(const Fault& fault) {
  return fault.kind == Fault::address && is_closed(fault.address_used, 1);
}

bool tell_early_access(const Fault& fault) {
  return tell_early_access(fault.address_used, 1, fault.instruction);
}

// The kernel's frames are no longer needed: its whole stack.
void* stack_for_recovery() {
  return inside_kernel && worker != nullptr ? worker->current->stack_top() : nullptr;
}

}  // namespace emulated

// ---- assert ----
// cu2cpp gives an assertion in device code as EMULATED_ASSERTED((as written), as translated).
static std::string_view as_written(std::string_view expression) {
  constexpr std::string_view mark = "EMULATED_ASSERTED((";
  if (!expression.starts_with(mark)) return expression;
  expression.remove_prefix(mark.size());
  std::size_t end = 0;
  for (int open = 1; end < expression.size(); ++end) {
    if (expression[end] == '(') ++open;
    if (expression[end] == ')' && --open == 0) break;
  }
  return expression.substr(0, end);
}

// What the C library's assert() calls. In a kernel the message is CUDA's. As on a GPU, which runs a
// warp's lanes together, all of them report it.
extern "C" __attribute__((noreturn)) void __assert_fail(const char* expression, const char* file,
                                                        unsigned line,
                                                        const char* function) noexcept {
  const std::string_view written = as_written(expression);
  const int length = static_cast<int>(written.size());
  if (emulated::in_kernel()) {
    emulated::find_thread(cudaErrorAssert, "assert()");
    const emulated::Launch& launch = emulated::running->launch;
    uint3 block;
    uint3 thread;
    launch.present(block, thread);
    const unsigned rank =
        thread.x + launch.block.x * (thread.y + launch.block.y * static_cast<unsigned>(thread.z));
    auto& asserting_warp = emulated::worker->asserting_warp;
    if (emulated::first_to_fail(cudaErrorAssert)) {
      asserting_warp = rank / 32;
      const std::string place = std::string(file) + ":" + std::to_string(line);
      const std::string sentence = "thread " + emulated::text(thread) + ": the assertion `" +
                                   std::string(written) + "` failed, which ends the kernel";
      emulated::explain::says(place.c_str(), sentence.c_str());
      emulated::count_error();
    }
    if (asserting_warp == rank / 32)
      std::fprintf(stderr,
                   "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%.*s` failed.\n",
                   file, line, function, block.x, block.y, block.z, thread.x, thread.y, thread.z,
                   length, written.data());
    emulated::worker->block->end_with_warp(rank);
  }
  std::fprintf(stderr, "%s:%u: %s: Assertion `%.*s' failed.\n", file, line, function, length,
               written.data());
  std::abort();
}
