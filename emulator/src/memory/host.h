// Pointers to host memory that a copy has brought to the device: a structure was
// copied, what it points to was not.
#pragma once

#include <cstddef>

#include "emulated/scheduler.h"

namespace emulated {

/// Looks for such a pointer in device memory that has been copied from the
/// host. Memory must be open.
void note_copied_pointers(const void* to, std::size_t bytes);

/// Is it surely an address of the host's, at which it has memory?
bool is_host_memory(const void* pointer);

/// As long as a kernel runs. Warns of the host's objects with virtual functions that are still
/// there; in the sanitized build the kernel that follows another pointer is found there. (The pack
/// explain finds them all: packs/explain/src/detectors/followed.cpp.) What looks like a pointer may
/// be left
/// over in memory that the host has not filled.
class HostPointersForbidden {
 public:
  explicit HostPointersForbidden(const Launch& launch);
  ~HostPointersForbidden();
  HostPointersForbidden(const HostPointersForbidden&) = delete;
  HostPointersForbidden& operator=(const HostPointersForbidden&) = delete;
};

}  // namespace emulated
