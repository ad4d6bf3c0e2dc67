#pragma once
#include "book.h"

/// The value of an attribute of the current device: a limit, or a number of multiprocessors.
inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}
