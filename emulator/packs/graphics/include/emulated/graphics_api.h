// Memory that a graphics library owns and kernels use for a while. What registers it is the
// library's own header (cuda_gl_interop.h).
#pragma once

#include <cstddef>

#include <driver_types.h>

struct cudaGraphicsResource;
using cudaGraphicsResource_t = cudaGraphicsResource*;

enum cudaGraphicsRegisterFlags {
  cudaGraphicsRegisterFlagsNone = 0,
  cudaGraphicsRegisterFlagsReadOnly = 1,
  cudaGraphicsRegisterFlagsWriteDiscard = 2
};
enum cudaGraphicsMapFlags {
  cudaGraphicsMapFlagsNone = 0,
  cudaGraphicsMapFlagsReadOnly = 1,
  cudaGraphicsMapFlagsWriteDiscard = 2
};

enum cudaGLDeviceList {
  cudaGLDeviceListAll = 1,
  cudaGLDeviceListCurrentFrame = 2,
  cudaGLDeviceListNextFrame = 3
};

// Between map and unmap the memory is the device's. In the thread in which
// the graphics context is current.
cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* resources,
                                     cudaStream_t stream = nullptr);
cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* resources,
                                       cudaStream_t stream = nullptr);
// Where a mapped resource lies, until it is unmapped, and its size in bytes.
cudaError_t cudaGraphicsResourceGetMappedPointer(void** pointer, std::size_t* bytes,
                                                 cudaGraphicsResource_t resource);
// For the next map.
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned flags);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
