#pragma once
// CPU reference of the texture unit: the formulas of the CUDA C++ programming guide, sections
// "Texture Fetching" and "Texture Functions", in plain float32. It shares nothing with the emulated
// device, so the two check each other.
//
// A coordinate becomes a number of texels: x (not normalized) or N x (normalized; N texels in that
// direction).
//   nearest  T[floor(x)]
//   linear   x - 0.5 = i + a, a in steps of 1/256;  (1 - a) T[i] + a T[i + 1],  and so along y
//   wrap     i modulo N;  mirror: every second repetition backwards;  clamp: the nearest texel;
//   border   a fixed color outside.
// The chapter's README reports how exactly an NVIDIA H200 agrees. Where the guide leaves freedom,
// the samples allow 1/512 of the texels' range.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../common/picture/image.h"

namespace reference {

enum class Address { wrap, clamp, mirror, border };

/// width * height texels, row by row; a 1D texture has height 1. T is float or float4.
template <class T>
struct Texture {
  int width = 0;
  int height = 1;
  std::vector<T> texels = {};
  Address address = Address::clamp;
  bool linear = false;
  bool normalized = false;
  T border = {};

  // Texel (i, j) after addressing.
  T at(int i, int j) const {
    if (address == Address::border && (i < 0 || i >= width || j < 0 || j >= height)) return border;
    return texels[static_cast<size_t>(resolve(j, height)) * width + resolve(i, width)];
  }

 private:
  int resolve(int i, int n) const {
    if (address == Address::clamp) return std::clamp(i, 0, n - 1);
    const int period = address == Address::mirror ? 2 * n : n;
    const int r = (i % period + period) % period;
    return r < n ? r : 2 * n - 1 - r;
  }
};

/// The index of the texel below a coordinate, and the fraction towards the next one: a multiple of
/// 1/256 below 1.
struct Position {
  int index;
  float fraction;
};

inline Position position(float x) {
  const float steps = std::floor((x - 0.5f) * 256.0f + 0.5f);  // x - 0.5 in units of 1/256
  const float index = std::floor(steps / 256.0f);
  return {static_cast<int>(index), steps / 256.0f - index};
}

/// The product of two fractions, rounded to 1/256.
inline float fraction_product(float a, float b) {
  return std::floor(a * b * 256.0f + 0.5f) / 256.0f;
}

/// A 1D texture has height 1 and is read at y = 0.5. The operators of float4 are the sample's
/// (texture_common.h).
template <class T>
T tex2d(const Texture<T>& t, float x, float y) {
  if (t.normalized) {
    x *= t.width;
    y *= t.height;
  }
  if (!t.linear) return t.at(static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)));
  const auto [i, a] = position(x);
  const auto [j, b] = position(y);
  const float ab = fraction_product(a, b);
  return (1 - a - b + ab) * t.at(i, j) + (a - ab) * t.at(i + 1, j) + (b - ab) * t.at(i, j + 1) +
         ab * t.at(i + 1, j + 1);
}

/// The layers of a texture (or faces of a cubemap), width x height texels each, one after another
/// in `texels`; linearly filtered.
inline std::vector<Texture<float4>> layers(const std::vector<float4>& texels, int width,
                                           int height) {
  std::vector<Texture<float4>> result;
  const std::ptrdiff_t count = width * height;
  for (auto first = texels.begin(); first != texels.end(); first += count)
    result.push_back(
        {.width = width, .height = height, .texels = {first, first + count}, .linear = true});
  return result;
}

/// A picture of bytes, read like a texture unit with cudaReadModeNormalizedFloat: 0 is 0.0, 255 is
/// 1.0.
inline Texture<float4> normalized(const Image& image) {
  Texture<float4> texture{image.width, image.height};
  for (size_t i = 0; i < image.rgba.size(); i += 4)
    texture.texels.push_back({image.rgba[i] / 255.0f, image.rgba[i + 1] / 255.0f,
                              image.rgba[i + 2] / 255.0f, image.rgba[i + 3] / 255.0f});
  return texture;
}

}  // namespace reference
