// Integer divisions that a processor refuses and a GPU does not.
#pragma once

#include <ucontext.h>

namespace emulated {

/// For a signal handler: is the instruction that failed an integer division? Then gives its result as a GPU does
/// (x / 0 and x % 0 have all bits set, INT_MIN / -1 is INT_MIN, INT_MIN % -1 is 0), lets the program go on behind
/// it, and returns true. x86-64 only: elsewhere a division never fails.
bool finish_division(mcontext_t& registers);

/// The first instruction that divided by zero since the last call; nullptr: none did.
const void* first_division_by_zero();

}  // namespace emulated
