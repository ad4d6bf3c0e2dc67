// Errors that the program does not look at.
#pragma once

namespace emulated {

/// A kernel has ended with a fault: unless a call returns it to the program, that does not end with
/// exit code 0.
void fault_occurred();
/// A call returns the fault of a kernel. Where its result is not dropped, the program knows of it.
void fault_returned();
/// Where the present call stands, if its result is dropped.
Location present_dropped_call();
/// The program looks at the last error.
void forget_dropped();

}  // namespace emulated
