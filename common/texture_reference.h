#pragma once
// Texture references, which CUDA 12 removed, for listings written before: a global variable that kernels
// fetch from and that the host binds to memory. Here a reference is the host's description of a texture
// object, whose handle lies in a variable of the device that belongs to it (texture_handle).
//
//   texture<float> in;                                        // or texture<float, 2>
//   cudaBindTexture(NULL, in, device_memory, bytes);          // or cudaBindTexture2D
//   ... tex1Dfetch(in, i) ...                                 // in a kernel; or tex2D(in, x, y)
//   cudaUnbindTexture(in);
//
// The calls are macros because the reference has to become a template argument: device code cannot name a
// variable of the host otherwise. tex1Dfetch<float>(object, i) is not affected.

#include <cuda_runtime.h>

#include <type_traits>

#if defined(__CUDACC__) || defined(EMULATED_DEVICE)

/// What the host says about a texture. Changes take effect at the next binding.
template <class T, int dimensions = 1, cudaTextureReadMode read_mode = cudaReadModeElementType>
struct texture {
  /// What a fetch returns: texels of small integers may be read as floats from 0 to 1 or -1 to 1.
  using Texel = std::conditional_t<read_mode == cudaReadModeNormalizedFloat, float, T>;
  using Stored = T;
  static constexpr cudaTextureReadMode mode = read_mode;

  int normalized = 0;
  cudaTextureFilterMode filterMode = cudaFilterModePoint;
  cudaTextureAddressMode addressMode[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
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
__device__ texel_of<reference> fetch_1d(float x) {
  return tex1D<texel_of<reference>>(texture_handle<reference>, x);
}
template <auto& reference>
__device__ texel_of<reference> fetch_2d(float x, float y) {
  return tex2D<texel_of<reference>>(texture_handle<reference>, x, y);
}

/// Takes the reference off its memory.
template <auto& reference>
cudaError_t unbind_texture() {
  const cudaTextureObject_t object = reference.object;
  reference.object = 0;
  return object == 0 ? cudaSuccess : cudaDestroyTextureObject(object);
}

template <auto& reference>
cudaError_t bind_resource(const cudaResourceDesc& resource) {
  if (const cudaError_t error = unbind_texture<reference>()) return error;
  cudaTextureDesc description = {};
  for (int i = 0; i < 3; ++i) description.addressMode[i] = reference.addressMode[i];
  description.filterMode = reference.filterMode;
  description.readMode = std::remove_reference_t<decltype(reference)>::mode;
  description.normalizedCoords = reference.normalized;
  if (const cudaError_t error = cudaCreateTextureObject(&reference.object, &resource, &description, nullptr))
    return error;
  return cudaMemcpyToSymbol(texture_handle<reference>, &reference.object, sizeof reference.object);
}

/// Binds to `bytes` bytes of linear memory. `offset` (or null) receives 0: memory from cudaMalloc is aligned.
template <auto& reference>
cudaError_t bind_linear(size_t* offset, const void* memory, const cudaChannelFormatDesc& format,
                        size_t bytes) {
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void*>(memory);
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes;
  return bind_resource<reference>(resource);
}
template <auto& reference>
cudaError_t bind_linear(size_t* offset, const void* memory, size_t bytes) {
  using Stored = typename std::remove_reference_t<decltype(reference)>::Stored;
  return bind_linear<reference>(offset, memory, cudaCreateChannelDesc<Stored>(), bytes);
}

/// Binds to `height` rows of `width` texels that lie `pitch` bytes apart.
template <auto& reference>
cudaError_t bind_rows(size_t* offset, const void* memory, const cudaChannelFormatDesc& format, size_t width,
                      size_t height, size_t pitch) {
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

template <auto& reference>
cudaError_t bind_array(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return bind_resource<reference>(resource);
}

#define tex1Dfetch(reference, i) fetch_1d_linear<reference>(i)
#define tex1D(reference, x) fetch_1d<reference>(x)
#define tex2D(reference, x, y) fetch_2d<reference>(x, y)
#define cudaBindTexture(offset, reference, ...) bind_linear<reference>(offset, __VA_ARGS__)
#define cudaBindTexture2D(offset, reference, ...) bind_rows<reference>(offset, __VA_ARGS__)
#define cudaBindTextureToArray(reference, array) bind_array<reference>(array)
#define cudaUnbindTexture(reference) unbind_texture<reference>()

#endif
