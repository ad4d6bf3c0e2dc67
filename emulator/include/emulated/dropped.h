// Calls of the runtime whose result the program drops. cu2cpp writes `cudaFree(p);`, a statement of
// its own in host code, also of .cpp files, as
//   ::emulated::drops("cudaFree"), cudaFree(p);
#pragma once

#include "cxx17.h"

#include <source_location>

#include "errors.h"

namespace emulated {

/// A call whose result is dropped.
struct DroppedCall {
  const char* function;
  std::source_location at;
};

/// Such a call begins.
DroppedCall drops(const char* function, std::source_location at = std::source_location::current());
/// It has returned. Unless the program asks for the last error before its next call, an error is
/// said: then, or at its end.
void operator,(const DroppedCall& call, cudaError_t error);

}  // namespace emulated
