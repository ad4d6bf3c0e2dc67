// The end of a program to which the machine cannot give what it needs.
#pragma once

namespace emulated {

/// Ends the program with exit code 1. `what` is a sentence's beginning.
[[noreturn]] void give_up(const char* what);

}  // namespace emulated
