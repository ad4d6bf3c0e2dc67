// The emulated device's properties. Limits are those of compute capability 9.0 (CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability"), so that what is accepted
// here is accepted there.
#include <cstdio>
#include <string>

#include "cuda_runtime_api.h"
#include "device.h"
#include "emulated/scheduler.h"
#include "launch/settings.h"
#include "limits.h"

using namespace emulated;

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return fail(cudaErrorInvalidValue);
  if (!is_device(device)) return fail(cudaErrorInvalidDevice);
  cudaDeviceProp& p = *properties;
  p = {};
  std::snprintf(p.name, sizeof p.name, "Emulated CUDA device (%u worker thread%s)",
                settings().workers, settings().workers == 1 ? "" : "s");
  std::size_t free_bytes = 0;
  cudaMemGetInfo(&free_bytes, &p.totalGlobalMem);
  ("emulated " + std::to_string(device)).copy(p.uuid.bytes, sizeof p.uuid.bytes - 1);
  p.pciBusID = device + 1;
  p.sharedMemPerBlock = shared_bytes_per_block;
  p.sharedMemPerBlockOptin = shared_bytes_per_block_optin;
  p.sharedMemPerMultiprocessor = 228 * kib;
  p.reservedSharedMemPerBlock = kib;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = threads_per_block;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = block_xy;
  p.maxThreadsDim[2] = block_z;
  p.maxGridSize[0] = static_cast<int>(grid_x);
  p.maxGridSize[1] = p.maxGridSize[2] = grid_yz;
  p.totalConstMem = 64 * kib;
  p.major = 9;
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = multiprocessors;
  p.canMapHostMemory = p.unifiedAddressing = p.managedMemory = p.concurrentManagedAccess = 1;
  p.singleToDoublePrecisionPerfRatio = 1;
  p.concurrentKernels = p.asyncEngineCount = p.cooperativeLaunch = p.deviceOverlap = 1;
  p.memoryPoolsSupported = p.streamPrioritiesSupported = p.globalL1CacheSupported =
      p.localL1CacheSupported = 1;
  p.clockRate = p.memoryClockRate = 1000000;
  p.memoryBusWidth = 64;
  p.l2CacheSize = 2 << 20;
  p.maxThreadsPerMultiProcessor = threads_per_multiprocessor;
  p.maxBlocksPerMultiProcessor = blocks_per_multiprocessor;
  p.maxTexture1D = p.maxTexture2D[0] = 131072;
  p.maxTexture1DLinear = 1 << 28;
  p.maxTexture1DMipmap = p.maxTexture2DMipmap[0] = p.maxTexture2DMipmap[1] = 32768;
  p.maxTexture3DAlt[0] = p.maxTexture3DAlt[1] = 8192;
  p.maxTexture3DAlt[2] = 32768;
  p.maxTexture2D[1] = 65536;
  p.maxTexture2DLinear[0] = 131072;
  p.maxTexture2DLinear[1] = 65000;
  p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture2DGather[0] = p.maxTexture2DGather[1] = 32768;
  p.maxTexture3D[0] = p.maxTexture3D[1] = p.maxTexture3D[2] = 16384;
  p.maxTextureCubemap = p.maxTextureCubemapLayered[0] = 32768;
  p.maxTextureCubemapLayered[1] = 2046;
  p.maxTexture1DLayered[0] = p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 32768;
  p.maxTexture1DLayered[1] = p.maxTexture2DLayered[2] = 2048;
  p.maxSurface1D = p.maxSurface1DLayered[0] = 32768;
  p.maxSurface2D[0] = 131072;
  p.maxSurface2D[1] = 65536;
  p.maxSurface3D[0] = p.maxSurface3D[1] = p.maxSurface3D[2] = 16384;
  p.maxSurface2DLayered[0] = p.maxSurface2DLayered[1] = 32768;
  p.maxSurface1DLayered[1] = p.maxSurface2DLayered[2] = 2048;
  p.maxSurfaceCubemap = p.maxSurfaceCubemapLayered[0] = 32768;
  p.maxSurfaceCubemapLayered[1] = 2046;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (value == nullptr) return fail(cudaErrorInvalidValue);
  if (!is_device(device)) return fail(cudaErrorInvalidDevice);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, device);
  switch (attribute) {
#define DEVICE_ATTRIBUTE(number, name, property) \
  case name:                                     \
    *value = static_cast<int>(p.property);       \
    return cudaSuccess;
#include "emulated/device_attributes.h"
#undef DEVICE_ATTRIBUTE
  }
  return fail(cudaErrorInvalidValue);
}
