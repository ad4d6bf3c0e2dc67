// OpenGL's buffers in kernels, under the name of CUDA's header.
#pragma once

#include <GL/gl.h>
#include <cuda_runtime.h>

// The devices that the current OpenGL context belongs to: here the current one.
// cudaErrorOperatingSystem: no context is current in this thread.
cudaError_t cudaGLGetDevices(unsigned* count, int* devices, unsigned capacity,
                             cudaGLDeviceList list);
// From now on kernels may use the buffer, whose size must not change, while it is mapped.
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t* resource, GLuint buffer,
                                         unsigned flags);

// From the time before CUDA 5: chooses the device, as cudaSetDevice does.
[[deprecated("use cudaSetDevice")]] cudaError_t cudaGLSetGLDevice(int device);
