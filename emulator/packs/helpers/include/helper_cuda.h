// What public programs use most of a header of that name in NVIDIA's samples: calls that are
// checked, and a device that is chosen. Our own, written against CUDA's runtime alone; a program's
// own copy next to it counts instead.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "helper_string.h"

namespace helpers {

inline void check(cudaError_t error, const char* what, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: error: %s: %s (%s)\n", file, line, what, cudaGetErrorString(error),
               cudaGetErrorName(error));
  std::exit(EXIT_FAILURE);
}

}  // namespace helpers

#define checkCudaErrors(call) ::helpers::check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(what) ::helpers::check(cudaGetLastError(), what, __FILE__, __LINE__)

inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
inline int ftoi(float value) { return static_cast<int>(value >= 0 ? value + 0.5f : value - 0.5f); }

/// How many lanes for single precision a multiprocessor has.
inline int _ConvertSMVer2Cores(int major, int minor) {
  if (major < 7) return major == 6 && minor == 0 ? 64 : 128;
  return major == 7 || (major == 8 && minor == 0) ? 64 : 128;
}

/// The device that --device=N names, else the first one; its name is printed.
inline int findCudaDevice(int argc, const char** argv) {
  const int device =
      checkCmdLineFlag(argc, argv, "device") ? getCmdLineArgumentInt(argc, argv, "device") : 0;
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  checkCudaErrors(cudaSetDevice(device));
  std::printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name,
              properties.major, properties.minor);
  return device;
}
inline int findCudaDevice(int argc, char** argv) {
  return findCudaDevice(argc, const_cast<const char**>(argv));
}
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0;
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  return properties.major > major || (properties.major == major && properties.minor >= minor);
}
