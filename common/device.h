#pragma once
#include "book.h"

/// Is this the emulated device of emulator/?
#ifdef EMULATED_DEVICE
constexpr bool is_emulated = true;
#else
constexpr bool is_emulated = false;
#endif

/// Does it record every access (./run --explain)? If so, recording would dominate any time.
inline bool is_recording() {
#ifdef EMULATED_DEVICE
  return emulated::explain::is_linked();
#else
  return false;
#endif
}

/// The value of an attribute of the current device, such as a limit.
inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0;
  int value = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

/// The number of multiprocessors of the current device.
inline int multiprocessors() { return device_attribute(cudaDevAttrMultiProcessorCount); }
