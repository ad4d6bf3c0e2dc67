#pragma once
// Names that the listings of "CUDA by Example" expect from book.h, besides those that the samples
// use. So they compile unchanged. book.h includes it for listings (cmake/Listing.cmake).

#include <cuda_runtime.h>
#include <pthread.h>

#include <cstring>
#include <string>
#include <type_traits>

#include "book.h"
#include "fail.h"
#include "heat_color.h"

// Chapter 8 calls this before it opens its window. On a GPU the driver refuses it then (580:
// cudaErrorDevicesUnavailable). cudaSetDevice has replaced it.
#ifndef EMULATED_DEVICE
#define cudaGLSetGLDevice cudaSetDevice
#endif

template <class T>
void swap(T& a, T& b) {
  T t = a;
  a = b;
  b = t;
}

// ---- Host threads (chapter 11): thin names for pthreads.

typedef pthread_t CUTThread;
typedef void* (*CUT_THREADROUTINE)(void*);
#define CUT_THREADPROC void*
#define CUT_THREADEND return 0

inline CUTThread start_thread(CUT_THREADROUTINE routine, void* data) {
  CUTThread thread;
  const int error = pthread_create(&thread, nullptr, routine, data);
  if (error != 0)
    fail(exit_code::failed, std::string("cannot start a thread: ") + std::strerror(error));
  return thread;
}
inline void end_thread(CUTThread thread) { pthread_join(thread, nullptr); }
inline void wait_for_threads(const CUTThread* threads, int count) {
  for (int i = 0; i < count; ++i) end_thread(threads[i]);
}

#if defined(__CUDACC__) || defined(EMULATED_DEVICE)

// ---- Pictures of heat (chapter 7): one thread per cell of a grid that covers the array exactly.

[[maybe_unused]] static __global__ void float_to_color(uchar4* optr, const float* outSrc) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  const int offset = x + y * blockDim.x * gridDim.x;
  optr[offset] = heat_color(outSrc[offset]);
}

[[maybe_unused]] static __global__ void float_to_color(unsigned char* optr, const float* outSrc) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  const int offset = x + y * blockDim.x * gridDim.x;
  reinterpret_cast<uchar4*>(optr)[offset] = heat_color(outSrc[offset]);
}

// ---- Texture references, which CUDA 12 removed, for older listings. A reference is a global
// variable that kernels fetch from and that the host binds to memory. Here a reference is the
// host's description of a texture object. The object's handle is in a device variable that
// belongs to the reference (texture_handle).
//
//   texture<float> in;                                        // or texture<float, 2>
//   cudaBindTexture(NULL, in, device_memory, bytes);          // or cudaBindTexture2D
//   ... tex1Dfetch(in, i) ...                                 // in a kernel; or tex2D(in, x, y)
//   cudaUnbindTexture(in);
//
// The calls are macros because the reference has to become a template argument. Otherwise device
// code cannot name a host variable. tex1Dfetch<float>(object, i) is not affected.

/// The host's data about a texture.
template <class T, int dimensions = 1>
struct texture {
  using Texel = T;

  cudaTextureObject_t object = 0;  // 0: not bound
};

/// The device's copy of a reference's texture object.
template <auto& reference>
__device__ cudaTextureObject_t texture_handle;

template <auto& reference>
using texel_of = typename std::remove_reference_t<decltype(reference)>::Texel;

template <auto& reference>
__device__ texel_of<reference> fetch_1d_linear(int i) {
  return tex1Dfetch<texel_of<reference>>(texture_handle<reference>, i);
}
template <auto& reference>
__device__ texel_of<reference> fetch_2d(float x, float y) {
  return tex2D<texel_of<reference>>(texture_handle<reference>, x, y);
}

/// Unbinds the reference from its memory.
template <auto& reference>
cudaError_t unbind_texture() {
  const cudaTextureObject_t object = reference.object;
  reference.object = 0;
  return object == 0 ? cudaSuccess : cudaDestroyTextureObject(object);
}

template <auto& reference>
cudaError_t bind_resource(const cudaResourceDesc& resource) {
  if (const cudaError_t error = unbind_texture<reference>()) return error;
  cudaTextureDesc description = {};  // point filtering, coordinates in texels
  for (cudaTextureAddressMode& mode : description.addressMode) mode = cudaAddressModeClamp;
  if (const cudaError_t error =
          cudaCreateTextureObject(&reference.object, &resource, &description, nullptr))
    return error;
#ifdef EMULATED_DEVICE  // cu2cpp does not see this header, so it has made no symbol of the variable
  texture_handle<reference> = reference.object;
  return cudaSuccess;
#else
  return cudaMemcpyToSymbol(texture_handle<reference>, &reference.object, sizeof reference.object);
#endif
}

/// Binds to `bytes` bytes of linear memory. `offset` (or null) receives 0:
/// memory from cudaMalloc is aligned.
template <auto& reference>
cudaError_t bind_linear(size_t* offset, const void* memory, size_t bytes) {
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void*>(memory);
  resource.res.linear.desc = cudaCreateChannelDesc<texel_of<reference>>();
  resource.res.linear.sizeInBytes = bytes;
  return bind_resource<reference>(resource);
}

/// Binds to `height` rows of `width` texels that lie `pitch` bytes apart.
template <auto& reference>
cudaError_t bind_rows(size_t* offset, const void* memory, const cudaChannelFormatDesc& format,
                      size_t width, size_t height, size_t pitch) {
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<void*>(memory);
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  return bind_resource<reference>(resource);
}

#define tex1Dfetch(reference, i) fetch_1d_linear<reference>(i)
#define tex2D(reference, x, y) fetch_2d<reference>(x, y)
#define cudaBindTexture(offset, reference, ...) bind_linear<reference>(offset, __VA_ARGS__)
#define cudaBindTexture2D(offset, reference, ...) bind_rows<reference>(offset, __VA_ARGS__)
#define cudaUnbindTexture(reference) unbind_texture<reference>()

#endif
