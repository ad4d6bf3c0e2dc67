// Mipmapped arrays, and fetches that choose between their levels. The formulas
// are in the header of this name.

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "emulated/errors.h"
#include "streams/handles.h"
#include "textures/memory.h"

namespace emulated {

namespace {

size_t halved(size_t size, unsigned times) {
  return size == 0 ? 0 : std::max<size_t>(size >> times, 1);
}

// A weighted mean of the components that are there.
Texel mix(const Texel& a, const Texel& b, float fraction) {
  Texel result = a;
  for (int c = 0; c < 4; ++c) result.f[c] = (1 - fraction) * a.f[c] + fraction * b.f[c];
  return result;
}

// How long a gradient is in texels of level 0.
float length_in_texels(const TextureState& t, float2 gradient) {
  return std::hypot(gradient.x * static_cast<float>(t.width),
                    gradient.y * static_cast<float>(t.height));
}

}  // namespace

Texel fetch_2d_lod(const TextureState& texture, float x, float y, float lod) {
  if (texture.levels.empty()) return fetch_2d(texture, x, y, 0);
  const cudaTextureDesc& t = texture.texture;
  const float last = static_cast<float>(texture.levels.size() - 1);
  if (std::isnan(lod)) lod = 0;
  lod = std::min(std::max(lod + t.mipmapLevelBias, t.minMipmapLevelClamp), t.maxMipmapLevelClamp);
  lod = std::clamp(lod, 0.0f, last);
  if (t.mipmapFilterMode == cudaFilterModePoint) lod = std::floor(lod + 0.5f);
  const int steps = static_cast<int>(std::floor(lod * 256 + 0.5f));
  const int level = steps / 256;
  const int fraction = steps % 256;
  const Texel texel = fetch_2d(texture.levels[level], x, y, 0);
  return fraction == 0
             ? texel
             : mix(texel, fetch_2d(texture.levels[level + 1], x, y, 0), fraction / 256.0f);
}

// Fetches along the longer gradient, from its one end to the other.
Texel fetch_2d_grad(const TextureState& texture, float x, float y, float2 dx, float2 dy) {
  const float p = length_in_texels(texture, dx);
  const float q = length_in_texels(texture, dy);
  const float longer = std::max(p, q);
  const float shorter = std::min(p, q);
  const float2 along = p >= q ? dx : dy;
  const float allowed = static_cast<float>(std::clamp(texture.texture.maxAnisotropy, 1u, 16u));
  const float ratio = shorter > 0 ? std::ceil(longer / shorter) : allowed;
  const int count =
      texture.filtered && longer > 0 ? static_cast<int>(std::clamp(ratio, 1.0f, allowed)) : 1;
  const float lod = longer > 0 ? std::log2(longer / static_cast<float>(count)) : 0;
  Texel sum = {};
  for (int i = 0; i < count; ++i) {
    const float s = (static_cast<float>(i) + 0.5f) / static_cast<float>(count) - 0.5f;
    const Texel next = fetch_2d_lod(texture, x + s * along.x, y + s * along.y, lod);
    sum = i == 0 ? next
                 : mix(sum, next, 1.0f / static_cast<float>(i + 1));  // the mean of i + 1 texels
  }
  return sum;
}

}  // namespace emulated

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* mipmapped,
                                     const cudaChannelFormatDesc* desc, cudaExtent extent,
                                     unsigned levels, unsigned flags) {
  if (mipmapped == nullptr || desc == nullptr) return emulated::fail(cudaErrorInvalidValue);
  const bool has_depth = (flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
  const size_t largest = std::max({extent.width, extent.height, has_depth ? extent.depth : 0});
  levels = std::max(1u, std::min(levels, static_cast<unsigned>(std::bit_width(largest))));
  auto made = std::make_unique<cudaMipmappedArray>();
  for (unsigned l = 0; l < levels; ++l) {
    const cudaExtent size = {emulated::halved(extent.width, l), emulated::halved(extent.height, l),
                             has_depth ? emulated::halved(extent.depth, l) : extent.depth};
    cudaArray_t level = nullptr;
    if (const cudaError_t error = cudaMalloc3DArray(&level, desc, size, flags)) return error;
    made->levels.push_back(level);
  }
  emulated::add<const cudaMipmappedArray*>(made.get());
  *mipmapped = made.release();
  return cudaSuccess;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t mipmapped,
                                       unsigned number) {
  if (level == nullptr || !emulated::exists(mipmapped) || number >= mipmapped->levels.size())
    return emulated::fail(cudaErrorInvalidValue);
  *level = mipmapped->levels[number];
  return cudaSuccess;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmapped) {
  if (mipmapped == nullptr) return cudaSuccess;
  if (!emulated::forget<const cudaMipmappedArray*>(mipmapped))
    return emulated::fail(cudaErrorInvalidValue);
  delete mipmapped;
  return cudaSuccess;
}
