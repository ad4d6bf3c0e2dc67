// What the scheduler says about a kernel's mistakes, and how it ends kernels and programs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "emulated/scheduler.h"
#include "launch/running.h"
#include "report.h"

namespace emulated {

std::string text(uint3 v);                    // "(1,2,3)"
std::string bytes_text(std::uint64_t bytes);  // "1 byte", "4 bytes"
std::string text(Location at);                // "FILE:LINE"; "" where it is not known
std::string thread_text(unsigned thread);     // of the present launch: "(1,2,3)"
std::string kernel_text();  // of the present one and block: "kernel NAME, block (1,2,3)"

// Prints "PLACE: warning: sentence", once for each place, not once for each of a million blocks.
void warn_once(const std::string& place, const std::string& sentence);
// Has there been such a warning?
bool has_warned();

constexpr const char* divided_by_zero =
    "an integer is divided by zero (a GPU continues with an arbitrary number)";

// The two ways to end a launch for a mistake of its threads. `sentence` is called for the text: no
// string may be alive when the frames are left behind, because it would never be freed.
void print_deadlock(const std::string& sentence);
void print_misuse(Location at, const std::string& sentence);

template <class Sentence>
[[noreturn]] void deadlock(Sentence sentence) {
  if (first_to_fail(cudaErrorLaunchTimeout)) print_deadlock(sentence());
  leave_block();
}

template <class Sentence>
[[noreturn]] void misuse(Location at, Sentence sentence) {
  if (first_to_fail(cudaErrorLaunchFailure)) print_misuse(at, sentence());
  leave_block();
}

}  // namespace emulated
