// Faults of a kernel, and of the host where it touches device memory.
#pragma once

namespace emulated {

// Once in a process, installs what turns a wrong address in a kernel into cudaErrorIllegalAddress, and abort()
// and exceptions into cudaErrorLaunchFailure.
void catch_signals();
// Ends the kernel because of a call that returns to `instruction`; prints the sentence and the call's line.
[[noreturn]] void fault_in_caller(const void* instruction, const char* sentence);

}  // namespace emulated
