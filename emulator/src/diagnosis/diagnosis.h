// What the scheduler says about a kernel's mistakes, and how it ends kernels and programs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "emulated/scheduler.h"
#include "launch/running.h"
#include "warps/os_thread.h"

namespace emulated {

class Block;

std::string text(uint3 v);                 // "(1,2,3)"
std::string text(Location at);             // "FILE:LINE"
std::string thread_text(unsigned thread);  // of the present launch: "(1,2,3)"
std::string kernel_text(std::uint64_t block);
std::string kernel_text(const Block& block);  // "kernel NAME, block (1,2,3)"

// Prints "PLACE: warning: sentence", once for each place, not once for each of a million blocks.
void warn_once(const std::string& place, const std::string& sentence);

// Prints "FILE:LINE: error: kernel NAME, block, thread: sentence" (the place is that of the launch).
void report(const char* severity, const char* sentence);

// All threads only wait for memory, one of them at this place; after `watchdog` seconds of that the kernel is ended.
void note_waiting(const Block& block, Location at, double watchdog);

// The two ways to end a launch for a mistake of its threads. `sentence` is called for the text: no string may
// be alive when the frames are left behind, because it would never be freed.
void print_deadlock(const Block& block, const std::string& sentence);
void print_misuse(const Block& block, Location at, const std::string& sentence);

template <class Sentence>
[[noreturn]] void deadlock(const Block& block, Sentence sentence) {
  if (first_to_fail(cudaErrorLaunchTimeout)) print_deadlock(block, sentence());
  leave_block();
}

template <class Sentence>
[[noreturn]] void misuse(const Block& block, Location at, Sentence sentence) {
  if (first_to_fail(cudaErrorLaunchFailure)) print_misuse(block, at, sentence());
  leave_block();
}

}  // namespace emulated
