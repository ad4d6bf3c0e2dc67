// Faults of a kernel, and of the host where it touches device memory.
#pragma once

namespace emulated {

// Once in a process, installs what turns a wrong address in a kernel into cudaErrorIllegalAddress, and abort() into
// cudaErrorLaunchFailure.
void catch_signals();

}  // namespace emulated
