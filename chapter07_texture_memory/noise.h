#pragma once
// Smooth random functions of the plane and of space, from which landscapes and clouds are made. Computed on
// the host, so that both builds and every GPU get the same numbers.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../common/random.h"

/// 0 below `low`, 1 above `high`, a smooth step between them.
inline float smooth(float low, float high, float v) {
  const float t = std::clamp((v - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

/// A random number in [0, 1) for a point of a grid.
inline float lattice(std::int64_t x, std::int64_t y) {
  const std::uint64_t h = static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u +
                          static_cast<std::uint64_t>(y) * 0xbf58476d1ce4e5b9u;
  return static_cast<float>(mixed(h) >> 40) / 16777216.0f;
}

/// Smooth noise: lattice values, interpolated (value noise).
inline float noise(float x, float y) {
  const float fx = std::floor(x), fy = std::floor(y);
  const auto i = static_cast<std::int64_t>(fx), j = static_cast<std::int64_t>(fy);
  const float a = smooth(0, 1, x - fx), b = smooth(0, 1, y - fy);
  const float low = lattice(i, j) + a * (lattice(i + 1, j) - lattice(i, j));
  const float high = lattice(i, j + 1) + a * (lattice(i + 1, j + 1) - lattice(i, j + 1));
  return low + b * (high - low);
}

/// Noise of five scales, each finer and weaker than the one before.
inline float clouds(float x, float y) {
  float sum = 0, weight = 0.5f;
  for (int octave = 0; octave < 5; ++octave) {
    sum += weight * noise(x, y);
    weight *= 0.5f;
    x = 2.03f * x + 17.3f;
    y = 2.03f * y + 5.1f;
  }
  return sum;
}

/// The same in space: a point of the grid, smooth noise between the grid's points, and a sum of scales.
inline float lattice(std::int64_t x, std::int64_t y, std::int64_t z) {
  return lattice(x + 7919 * z, y - 104729 * z);
}

inline float noise(float x, float y, float z) {
  const float fz = std::floor(z), c = smooth(0, 1, z - fz);
  const auto k = static_cast<std::int64_t>(fz);
  const auto plane = [&](std::int64_t at) {
    const float fx = std::floor(x), fy = std::floor(y);
    const auto i = static_cast<std::int64_t>(fx), j = static_cast<std::int64_t>(fy);
    const float a = smooth(0, 1, x - fx), b = smooth(0, 1, y - fy);
    const float low = std::lerp(lattice(i, j, at), lattice(i + 1, j, at), a);
    return std::lerp(low, std::lerp(lattice(i, j + 1, at), lattice(i + 1, j + 1, at), a), b);
  };
  return std::lerp(plane(k), plane(k + 1), c);
}

/// Noise of four scales, each finer and weaker than the one before; 0 to 0.94.
inline float clouds(float x, float y, float z) {
  float sum = 0, weight = 0.5f;
  for (int octave = 0; octave < 4; ++octave) {
    sum += weight * noise(x, y, z);
    weight *= 0.5f;
    x = 2.03f * x + 17.3f;
    y = 2.03f * y + 5.1f;
    z = 2.03f * z + 9.7f;
  }
  return sum;
}
