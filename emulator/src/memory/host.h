// Pointers to host memory that a copy has brought to the device: a structure was
// copied, what it points to was not.
#pragma once

#include <cstddef>

#include "emulated/scheduler.h"

namespace emulated {

/// Looks for such a pointer in device memory that has been copied from the
/// host. Memory must be open.
void note_copied_pointers(const void* to, std::size_t bytes);

/// As long as a kernel runs. Warns of those that are still there; in the sanitized build the kernel
/// that follows one is found there.
class HostPointersForbidden {
 public:
  explicit HostPointersForbidden(const Launch& launch);
  ~HostPointersForbidden();
  HostPointersForbidden(const HostPointersForbidden&) = delete;
  HostPointersForbidden& operator=(const HostPointersForbidden&) = delete;
};

}  // namespace emulated
