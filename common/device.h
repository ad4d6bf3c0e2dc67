#pragma once
#include "book.h"

/// Is the device that of emulator/?
#ifdef EMULATED_DEVICE
constexpr bool is_emulated = true;
#else
constexpr bool is_emulated = false;
#endif

/// Does it record every access (./run --explain)? Then a time would be mostly that of recording.
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

/// How many multiprocessors the current device has.
inline int multiprocessors() { return device_attribute(cudaDevAttrMultiProcessorCount); }
