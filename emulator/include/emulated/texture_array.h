// CUDA arrays: memory for texels that only copies, textures and surfaces reach.
// On a GPU the texels lie in an order of the device's own; here they lie row by row.
#pragma once

#include <cstddef>

#include "../texture_types.h"

// A CUDA array of width x height texels (height 0: one-dimensional). flags:
// cudaArraySurfaceLoadStore if surfaces are to write it, cudaArrayTextureGather (two-dimensional)
// for tex2Dgather. Errors: cudaErrorInvalidValue (null pointer, size 0 or beyond the device's
// limits, flags that exclude each other), cudaErrorInvalidChannelDescriptor,
// cudaErrorMemoryAllocation.
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height = 0, unsigned flags = 0);

// The general form. extent is in texels; height and depth 0 leave out a dimension. With
// cudaArrayLayered depth is the number of layers; with cudaArrayCubemap width == height and depth
// == 6; with both, depth is 6 times the number of cubemaps. Errors as for cudaMallocArray.
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                              cudaExtent extent, unsigned flags = 0);

// Frees an array; null is fine. cudaErrorInvalidValue: not an array, or freed before.
cudaError_t cudaFreeArray(cudaArray_t array);

// What the array was made with; each pointer may be null.
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array);

// Copies of height rows of width bytes. wOffset is in bytes, hOffset in rows; a row of
// linear memory starts every spitch (dpitch) bytes. Errors: cudaErrorInvalidValue (outside
// the array or the memory), cudaErrorInvalidPitchValue (rows overlap),
// cudaErrorInvalidMemcpyDirection (kind does not fit).
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                size_t spitch, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                     const void* src, size_t spitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DFromArray(void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, cudaArray_const_t src,
                                       size_t wOffset, size_t hOffset, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);

// Copies to and from the texels of an array one after another, row by row, beginning at texel
// (wOffset bytes, hOffset rows).
[[deprecated("use cudaMemcpy2DToArray")]] cudaError_t cudaMemcpyToArray(
    cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t count,
    cudaMemcpyKind kind);
[[deprecated("use cudaMemcpy2DFromArray")]] cudaError_t cudaMemcpyFromArray(
    void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
    cudaMemcpyKind kind);

// Copies a box between arrays and pitched memory; each side is given by exactly one of its array
// and its pointer. The extent and the positions are in texels if an array takes part (a position in
// memory always counts in bytes along x), else in bytes. Errors as above.
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream = nullptr);

// Texture objects. resource: an array, linear memory, or pitched memory (both aligned to 512 bytes,
// the pitch to 32, as on the GPU). Errors: cudaErrorInvalidValue; cudaErrorInvalidNormSetting
// (normalized floats from 32-bit or float texels); cudaErrorInvalidFilterSetting (linear filtering
// of texels read as integers); cudaErrorNotSupported (resource views, which are not emulated).
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);

// Surface objects of arrays made with cudaArraySurfaceLoadStore.
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
