// Mipmapped arrays and the fetches that choose a level: tex2DLod, tex2DGrad and their kin.
//
// Level l of a mipmapped array has width max(1, floor(width / 2^l)), and so in the other directions; layers
// and faces stay. A texture of it reads with normalized coordinates, which mean the same place in every
// level. tex2D and the other fetches without a level read level 0.
//   level   lod + mipmapLevelBias, within minMipmapLevelClamp and maxMipmapLevelClamp and the levels that
//           exist; point: the nearest level; linear: both neighbors, the fraction in steps of 1/256
//   Grad    the footprint of a pixel, in texels of level 0, has the sides p and q: the lengths of the two
//           gradients. Without anisotropy lod = log2(max(p, q)). With maxAnisotropy > 1 up to that many
//           fetches lie side by side along the longer side, so that each has to cover less: n = ceil(longer
//           / shorter), at most maxAnisotropy, and lod = log2(longer / n) (the formula of OpenGL's
//           EXT_texture_filter_anisotropic). How a GPU places and weighs them is not specified; its results
//           are near these, not equal.
#pragma once

#include <cstddef>

#include <emulated/texture_array.h>
#include <emulated/texture_fetch.h>
#include <texture_types.h>

using cudaMipmappedArray_const_t = const cudaMipmappedArray*;

// An array with levels. extent and flags as for cudaMalloc3DArray; the number of levels is cut to
// 1 + floor(log2(largest side)). Errors as for cudaMalloc3DArray.
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* mipmapped, const cudaChannelFormatDesc* desc,
                                     cudaExtent extent, unsigned levels, unsigned flags = 0);

// A level as an array: for copies, surfaces and textures of that level alone. It belongs to the mipmapped
// array. cudaErrorInvalidValue: not a mipmapped array, or no such level.
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t mipmapped,
                                       unsigned number);

// Frees all levels; null is fine. cudaErrorInvalidValue: not a mipmapped array, or freed before.
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmapped);

namespace emulated {

// Gradients of the coordinates along x and along y of the picture.
struct Gradients {
  float dx[3], dy[3];
};

Texel fetch_1d_lod(const TextureState& texture, float x, int layer, float lod);
Texel fetch_2d_lod(const TextureState& texture, float x, float y, int layer, float lod);
Texel fetch_3d_lod(const TextureState& texture, float x, float y, float z, float lod);
Texel fetch_cubemap_lod(const TextureState& texture, float x, float y, float z, int cube, float lod);
Texel fetch_1d_grad(const TextureState& texture, float x, int layer, const Gradients& gradients);
Texel fetch_2d_grad(const TextureState& texture, float x, float y, int layer, const Gradients& gradients);
Texel fetch_3d_grad(const TextureState& texture, float x, float y, float z, const Gradients& gradients);

// The texture behind a handle, which must have this shape.
inline const TextureState& texture_of_shape(cudaTextureObject_t object, TextureShape shape,
                                            const char* function) {
  const TextureState& texture = texture_state(object, function);
  if (!(shape == TextureShape::array2d && texture.shape == TextureShape::plane))
    expect_shape(texture, shape, function);
  return texture;
}

}  // namespace emulated

template <class T>
inline T tex1DLod(cudaTextureObject_t object, float x, float lod) {
  const auto& texture = emulated::texture_of_shape(object, emulated::TextureShape::array1d, "tex1DLod");
  return emulated::texel_as<T>(texture, emulated::fetch_1d_lod(texture, x, 0, lod), "tex1DLod");
}

template <class T>
inline T tex2DLod(cudaTextureObject_t object, float x, float y, float lod) {
  const auto& texture = emulated::texture_of_shape(object, emulated::TextureShape::array2d, "tex2DLod");
  return emulated::texel_as<T>(texture, emulated::fetch_2d_lod(texture, x, y, 0, lod), "tex2DLod");
}

template <class T>
inline T tex3DLod(cudaTextureObject_t object, float x, float y, float z, float lod) {
  const auto& texture = emulated::texture_of_shape(object, emulated::TextureShape::array3d, "tex3DLod");
  return emulated::texel_as<T>(texture, emulated::fetch_3d_lod(texture, x, y, z, lod), "tex3DLod");
}

template <class T>
inline T tex1DLayeredLod(cudaTextureObject_t object, float x, int layer, float lod) {
  const auto& texture =
      emulated::texture_of_shape(object, emulated::TextureShape::layered1d, "tex1DLayeredLod");
  return emulated::texel_as<T>(texture, emulated::fetch_1d_lod(texture, x, layer, lod), "tex1DLayeredLod");
}

template <class T>
inline T tex2DLayeredLod(cudaTextureObject_t object, float x, float y, int layer, float lod) {
  const auto& texture =
      emulated::texture_of_shape(object, emulated::TextureShape::layered2d, "tex2DLayeredLod");
  return emulated::texel_as<T>(texture, emulated::fetch_2d_lod(texture, x, y, layer, lod), "tex2DLayeredLod");
}

template <class T>
inline T texCubemapLod(cudaTextureObject_t object, float x, float y, float z, float lod) {
  const auto& texture = emulated::texture_of_shape(object, emulated::TextureShape::cubemap, "texCubemapLod");
  return emulated::texel_as<T>(texture, emulated::fetch_cubemap_lod(texture, x, y, z, 0, lod),
                               "texCubemapLod");
}

template <class T>
inline T texCubemapLayeredLod(cudaTextureObject_t object, float x, float y, float z, int layer, float lod) {
  const auto& texture =
      emulated::texture_of_shape(object, emulated::TextureShape::layered_cubemap, "texCubemapLayeredLod");
  return emulated::texel_as<T>(texture, emulated::fetch_cubemap_lod(texture, x, y, z, layer, lod),
                               "texCubemapLayeredLod");
}

template <class T>
inline T tex1DGrad(cudaTextureObject_t object, float x, float dPdx, float dPdy) {
  const auto& texture = emulated::texture_of_shape(object, emulated::TextureShape::array1d, "tex1DGrad");
  return emulated::texel_as<T>(texture, emulated::fetch_1d_grad(texture, x, 0, {{dPdx, 0, 0}, {dPdy, 0, 0}}),
                               "tex1DGrad");
}

template <class T>
inline T tex2DGrad(cudaTextureObject_t object, float x, float y, float2 dPdx, float2 dPdy) {
  const auto& texture = emulated::texture_of_shape(object, emulated::TextureShape::array2d, "tex2DGrad");
  const emulated::Gradients gradients = {{dPdx.x, dPdx.y, 0}, {dPdy.x, dPdy.y, 0}};
  return emulated::texel_as<T>(texture, emulated::fetch_2d_grad(texture, x, y, 0, gradients), "tex2DGrad");
}

template <class T>
inline T tex2DLayeredGrad(cudaTextureObject_t object, float x, float y, int layer, float2 dPdx, float2 dPdy) {
  const auto& texture =
      emulated::texture_of_shape(object, emulated::TextureShape::layered2d, "tex2DLayeredGrad");
  const emulated::Gradients gradients = {{dPdx.x, dPdx.y, 0}, {dPdy.x, dPdy.y, 0}};
  return emulated::texel_as<T>(texture, emulated::fetch_2d_grad(texture, x, y, layer, gradients),
                               "tex2DLayeredGrad");
}

// Only x, y and z of the gradients count.
template <class T>
inline T tex3DGrad(cudaTextureObject_t object, float x, float y, float z, float4 dPdx, float4 dPdy) {
  const auto& texture = emulated::texture_of_shape(object, emulated::TextureShape::array3d, "tex3DGrad");
  const emulated::Gradients gradients = {{dPdx.x, dPdx.y, dPdx.z}, {dPdy.x, dPdy.y, dPdy.z}};
  return emulated::texel_as<T>(texture, emulated::fetch_3d_grad(texture, x, y, z, gradients), "tex3DGrad");
}

template <class T>
inline T tex1DLayeredGrad(cudaTextureObject_t object, float x, int layer, float dPdx, float dPdy) {
  const auto& texture =
      emulated::texture_of_shape(object, emulated::TextureShape::layered1d, "tex1DLayeredGrad");
  const emulated::Gradients gradients = {{dPdx, 0, 0}, {dPdy, 0, 0}};
  return emulated::texel_as<T>(texture, emulated::fetch_1d_grad(texture, x, layer, gradients),
                               "tex1DLayeredGrad");
}
template <class T>
inline T texCubemapGrad(cudaTextureObject_t, float, float, float, float4, float4) {
  static_assert(sizeof(T) == 0, "the emulated device does not have texCubemapGrad: use texCubemapLod");
}
template <class T>
inline T texCubemapLayeredGrad(cudaTextureObject_t, float, float, float, int, float4, float4) {
  static_assert(sizeof(T) == 0,
                "the emulated device does not have texCubemapLayeredGrad: use texCubemapLayeredLod");
}
