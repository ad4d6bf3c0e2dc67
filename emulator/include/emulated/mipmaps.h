// Mipmapped arrays and the fetches that choose a level: tex2DLod and tex2DGrad.
//
// Level l of a mipmapped array has width max(1, floor(width / 2^l)), and so in the other
// directions; layers and faces stay. A texture of it reads with normalized coordinates, which mean
// the same place in every level. tex2D and the other fetches without a level read level 0.
//   level   lod + mipmapLevelBias, within minMipmapLevelClamp and maxMipmapLevelClamp
//           and the levels that exist; point: the nearest level; linear: both neighbors,
//           the fraction in steps of 1/256
//   Grad    the footprint of a pixel, in texels of level 0, has the sides p and q: the lengths of
//           the two gradients. Without anisotropy lod = log2(max(p, q)). With maxAnisotropy > 1 up
//           to that many fetches lie side by side along the longer side, so that each has to cover
//           less: n = ceil(longer / shorter), at most maxAnisotropy, and lod = log2(longer / n)
//           (the formula of OpenGL's EXT_texture_filter_anisotropic). How a GPU places and weighs
//           them is not specified; its results are near these, not equal.
#pragma once

#include <cstddef>

#include <emulated/texture_array.h>
#include <emulated/texture_fetch.h>
#include <texture_types.h>

using cudaMipmappedArray_const_t = const cudaMipmappedArray*;

// An array with levels. extent and flags as for cudaMalloc3DArray; the number of levels is cut to
// 1 + floor(log2(largest side)). Errors as for cudaMalloc3DArray.
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* mipmapped,
                                     const cudaChannelFormatDesc* desc, cudaExtent extent,
                                     unsigned levels, unsigned flags = 0);

// A level as an array: for copies, surfaces and textures of that level alone. It belongs to the
// mipmapped array. cudaErrorInvalidValue: not a mipmapped array, or no such level.
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t mipmapped,
                                       unsigned number);

// Frees all levels; null is fine. cudaErrorInvalidValue: not a mipmapped array, or freed before.
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmapped);

namespace emulated {

Texel fetch_2d_lod(const TextureState& texture, float x, float y, float lod);
// The gradients of the coordinates along x and along y of the picture.
Texel fetch_2d_grad(const TextureState& texture, float x, float y, float2 dx, float2 dy);

}  // namespace emulated

template <class T>
inline T tex2DLod(cudaTextureObject_t object, float x, float y, float lod) {
  return emulated::fetched<T>("tex2DLod", emulated::TextureShape::array2d, emulated::fetch_2d_lod,
                              object, x, y, lod);
}

template <class T>
inline T tex2DGrad(cudaTextureObject_t object, float x, float y, float2 dPdx, float2 dPdy) {
  return emulated::fetched<T>("tex2DGrad", emulated::TextureShape::array2d, emulated::fetch_2d_grad,
                              object, x, y, dPdx, dPdy);
}
