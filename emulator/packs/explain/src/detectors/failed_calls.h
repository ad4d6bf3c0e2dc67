// Calls of the runtime that fail.
#pragma once

namespace emulated::explain {

/// A call fails, and the program looks at its result.
void note_failed_call(const char* why);
/// Has one failed?
bool has_failed_call();

}  // namespace emulated::explain
