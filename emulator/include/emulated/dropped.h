// Calls of the runtime whose result the program drops. cu2cpp writes `cudaFree(p);`, a statement of
// its own in host code, also of .cpp files, as
//   ::emulated::drops("cudaFree"), cudaFree(p);
#pragma once

#include "cxx17.h"

#include <source_location>

#include "errors.h"
#include "explain_hooks.h"

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

/// The program gives the allocation that this thread makes next this name (allocation_names.cpp).
[[maybe_unused]] static inline void named(const char* name) {
  if (explain::on) explain::names_allocation(name);
}

}  // namespace emulated
