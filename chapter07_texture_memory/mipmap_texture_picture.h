#pragma once
// The view of mipmap_texture: a floor that recedes to the horizon, its tiles, the sky, the labels;
// and its CPU reference. Code for host and device computes the same bits, because it is built
// without contraction.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "cpu_texture.h"
#include "texture_common.h"

constexpr int texture_size = 256;  // texels per side of level 0
constexpr int texture_levels = 9;  // 256, 128, ..., 1
constexpr float horizon = 0.75f;   // of the picture's height

/// The mean of four texels, each component to nearest, half up.
__host__ __device__ inline uchar4 mean_texel(uchar4 a, uchar4 b, uchar4 c, uchar4 d) {
  return make_uchar4((a.x + b.x + c.x + d.x + 2) / 4, (a.y + b.y + c.y + d.y + 2) / 4,
                     (a.z + b.z + c.z + d.z + 2) / 4, (a.w + b.w + c.w + d.w + 2) / 4);
}

/// The place on the floor that a pixel shows, in normalized coordinates of the texture (0..1 is one
/// tile pattern), and its change from pixel to pixel: the pixel's footprint. Near the horizon the
/// footprint is far longer than wide.
struct Footprint {
  float2 at = {};
  float2 per_x = {};
  float2 per_y = {};
  bool sky = false;
};

/// x, y: a place in a picture of dim x dim. traveled: the viewer's distance so far, in patterns.
/// The eye is one pattern above the floor.
__host__ __device__ inline Footprint floor_footprint(float x, float y, int dim, float traveled) {
  constexpr float width = 1.6f;
  const float u = x / dim - 0.5f;
  const float below = horizon - y / dim;
  if (below <= 0) return {.sky = true};
  const float depth = 1 / below;
  const float change = depth * depth / dim;  // of the depth, per pixel upward
  const float s = width * u * depth;
  const float t = depth + traveled;
  return {.at = {s - floorf(s), t - floorf(t)},
          .per_x = {width * depth / dim, 0},
          .per_y = {width * u * change, change}};
}

/// The level whose texels are as large as the footprint is long. That is enough to lose no texel,
/// and more than its width needs. size: texels per side of level 0.
__host__ __device__ inline float footprint_level(const Footprint& f, int size) {
  const float length_x = sqrtf(f.per_x.x * f.per_x.x + f.per_x.y * f.per_x.y);
  const float length_y = sqrtf(f.per_y.x * f.per_y.x + f.per_y.y * f.per_y.y);
  return log2f(fmaxf(length_x, length_y) * size);
}

/// The sky above the horizon. y in pixels.
__host__ __device__ inline float4 floor_sky(float y, int dim) {
  const float height = (y / dim - horizon) / (1 - horizon);  // 0 to 1
  return make_float4(0.95f - 0.7f * height, 0.75f - 0.45f * height, 0.55f + 0.1f * height, 1);
}

/// size * size texels: 4 x 4 tiles in two colors, with dark joints.
inline std::vector<uchar4> tile_pattern(int size) {
  std::vector<uchar4> texels;
  const int tile = size / 4;
  const int joint = size / 64;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const bool light = (x / tile + y / tile) % 2 == 0;
      const bool in_joint = x % tile < joint || y % tile < joint;
      uchar4 color = make_uchar4(40, 70, 130, 255);
      if (light) color = make_uchar4(245, 235, 215, 255);
      if (in_joint) color = make_uchar4(30, 24, 30, 255);
      texels.push_back(color);
    }
  return texels;
}

/// Lines between the three strips of the picture, and their names.
inline void label_strips(Image& image) {
  const int dim = image.width;
  const char* const names[] = {"level 0", "mipmaps", "anisotropy"};
  for (int k = 0; k < 3; ++k) {
    if (k > 0) fill_rect(image, k * dim / 3 - dim / 400, 0, dim / 200, dim, {255, 255, 255});
    label(image, k * dim / 3, dim - 11 * (dim / 250), dim / 3, names[k], dim / 250);
  }
}

/// CPU reference of the levels.
inline std::vector<Image> reference_levels(const std::vector<uchar4>& level_0) {
  std::vector<Image> levels;
  std::vector<uchar4> texels = level_0;
  for (int size = texture_size; size > 0; size /= 2) {
    levels.emplace_back(size, size);
    std::memcpy(levels.back().rgba.data(), texels.data(), texels.size() * sizeof(uchar4));
    std::vector<uchar4> coarse;
    for (int y = 0; y + 1 < size; y += 2)
      for (int x = 0; x + 1 < size; x += 2) {
        const uchar4* below = &texels[size * y + x];
        const uchar4* above = below + size;
        coarse.push_back(mean_texel(below[0], below[1], above[0], above[1]));
      }
    texels = coarse;
  }
  return levels;
}

/// CPU reference of the first two strips, instead of the colors of the device: the level of the
/// footprint is mixed from its two neighbors. The guide leaves anisotropic filtering open, so the
/// third strip stays as it is.
inline std::vector<float4> reference_floor(std::vector<float4> colors,
                                           const std::vector<Image>& levels, int dim,
                                           float traveled) {
  std::vector<reference::Texture<float4>> textures;
  for (const Image& level : levels) {
    textures.push_back(reference::normalized(level));
    textures.back().linear = true;
    textures.back().normalized = true;
    textures.back().address = reference::Address::wrap;
  }
  for (int y = 0; y < dim; ++y)
    for (int x = 0; 3 * x / dim < 2; ++x) {
      float4& color = colors[x + static_cast<size_t>(y) * dim];
      const Footprint f = floor_footprint(x + 0.5f, y + 0.5f, dim, traveled);
      if (f.sky) {
        color = floor_sky(y + 0.5f, dim);
        continue;
      }
      const int strip = 3 * x / dim;
      const float coarsest = texture_levels - 1;
      float level = 0;
      if (strip == 1) level = std::clamp(footprint_level(f, texture_size), 0.0f, coarsest);
      const int fine = static_cast<int>(level);
      const int coarse = std::min(fine + 1, texture_levels - 1);
      const float fraction = std::floor((level - fine) * 256 + 0.5f) / 256;
      color = (1 - fraction) * reference::tex2d(textures[fine], f.at.x, f.at.y) +
              fraction * reference::tex2d(textures[coarse], f.at.x, f.at.y);
    }
  return colors;
}
