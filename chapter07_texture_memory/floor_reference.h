#pragma once
// CPU reference of mipmap_texture: the levels, the floor read from them, and the floor as it should look.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../common/check.h"
#include "colors.h"
#include "cpu_texture.h"
#include "floor_view.h"

/// A mipmapped array on the CPU: level l has (size >> l)^2 texels.
using Levels = std::vector<std::vector<uchar4>>;

inline Levels reference_levels(const std::vector<uchar4>& texels, int size) {
  Levels levels = {texels};
  while (size > 1) {
    const std::vector<uchar4>& fine = levels.back();
    std::vector<uchar4> coarse;
    for (int y = 0; y < size; y += 2)
      for (int x = 0; x < size; x += 2)
        coarse.push_back(mean_texel(fine[y * size + x], fine[y * size + x + 1], fine[(y + 1) * size + x],
                                    fine[(y + 1) * size + x + 1]));
    levels.push_back(coarse);
    size /= 2;
  }
  return levels;
}

inline std::vector<unsigned char> bytes_of(const std::vector<uchar4>& texels) {
  std::vector<unsigned char> bytes(texels.size() * sizeof(uchar4));
  std::memcpy(bytes.data(), texels.data(), bytes.size());
  return bytes;
}

/// The floor by level_0 or mipmaps, where the level of the footprint is mixed from its two neighbors.
inline std::vector<float4> reference_floor(const Levels& levels, int dim, float traveled, Way way) {
  std::vector<reference::Texture<float4>> textures;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    reference::Texture<float4> texture;
    texture.width = texture.height = 1 << (levels.size() - 1 - l);
    texture.linear = texture.normalized = true;
    texture.address = reference::Address::wrap;
    for (const uchar4& t : levels[l])
      texture.texels.push_back({t.x / 255.0f, t.y / 255.0f, t.z / 255.0f, t.w / 255.0f});
    textures.push_back(texture);
  }
  const float last = static_cast<float>(levels.size() - 1);
  std::vector<float4> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const Footprint f = floor_footprint(x + 0.5f, y + 0.5f, dim, traveled);
      if (f.sky) {
        colors.push_back(floor_sky(y + 0.5f, dim));
        continue;
      }
      const float lod = way == level_0 ? 0 : std::clamp(footprint_level(f, textures[0].width), 0.0f, last);
      const int low = static_cast<int>(lod), high = std::min(low + 1, static_cast<int>(last));
      const float fraction = std::floor((lod - low) * 256 + 0.5f) / 256;
      colors.push_back((1 - fraction) * reference::tex2d(textures[low], f.at.x, f.at.y) +
                       fraction * reference::tex2d(textures[high], f.at.x, f.at.y));
    }
  return colors;
}

/// How far a color may be from reference_floor's. Between levels the device's log2f may differ in its last
/// bits, and how exact the fraction of a level is the guide leaves open: two steps of 1/256 of the difference
/// between two levels.
inline float floor_tolerance(Way way) { return way == level_0 ? 1.0f / 512 : 1.0f / 512 + 2.0f / 256; }

/// How far a picture of the floor is from the truth on average, per component. The truth at a pixel is the
/// mean of 16 x 16 places in it, each the color of its texel. Looks at 64 x 64 pixels, picked evenly from dim
/// x dim.
inline float distance_to_truth(const std::vector<float4>& got, const std::vector<uchar4>& texels, int dim,
                               float traveled) {
  constexpr int picked = 64, parts = 16;
  const int size = static_cast<int>(std::lround(std::sqrt(static_cast<double>(texels.size()))));
  double sum = 0;
  for (int j = 0; j < picked; ++j)
    for (int i = 0; i < picked; ++i) {
      const int x = (2 * i + 1) * dim / (2 * picked), y = (2 * j + 1) * dim / (2 * picked);
      float4 truth = {0, 0, 0, 0};
      for (int part = 0; part < parts * parts; ++part) {
        const float px = x + (part % parts + 0.5f) / parts, py = y + (part / parts + 0.5f) / parts;
        const Footprint f = floor_footprint(px, py, dim, traveled);
        const uchar4 t = texels[static_cast<int>(f.at.y * size) * size + static_cast<int>(f.at.x * size)];
        const float4 color = f.sky ? floor_sky(py, dim) : float4{t.x / 255.0f, t.y / 255.0f, t.z / 255.0f, 1};
        truth = truth + 1.0f / (parts * parts) * color;
      }
      const float4 color = got[x + static_cast<std::size_t>(y) * dim];
      sum += std::fabs(color.x - truth.x) + std::fabs(color.y - truth.y) + std::fabs(color.z - truth.z);
    }
  return static_cast<float>(sum / (3 * picked * picked));
}

/// The errors of the three ways shrink: each is smaller than nine tenths of the one before. Prints them
/// where not.
inline bool check_order(const char* what, const float (&error)[3]) {
  if (error[1] < 0.9f * error[0] && error[2] < 0.9f * error[1]) return true;
  std::fprintf(stderr, "%s: %.4f, %.4f, %.4f do not shrink\n", what, error[0], error[1], error[2]);
  return false;
}
