#pragma once
// The scene of texture_3d: a cloud made from formulas, its light, the sky, and the rays to it.
// Code for host and device computes the same bits, because it is built without contraction.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../common/random.h"
#include "camera.h"
#include "cpu_texture.h"
#include "texture_common.h"

__host__ __device__ inline float2 operator*(float weight, const float2& v) {
  return {weight * v.x, weight * v.y};
}
__host__ __device__ inline float2 operator+(const float2& a, const float2& b) {
  return {a.x + b.x, a.y + b.y};
}

// ---- the cloud

/// 0 below `low`, 1 above `high`, a smooth step between them.
inline float smooth(float low, float high, float v) {
  const float t = std::clamp((v - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

/// The random number of 0..1 that belongs to point (i, j, k) of a lattice.
inline float random_at(float i, float j, float k) {
  const auto skewed_i = static_cast<std::int64_t>(i + 7919 * k);
  const auto skewed_j = static_cast<std::int64_t>(j - 104729 * k);
  const std::uint64_t point = static_cast<std::uint64_t>(skewed_i) * 0x9e3779b97f4a7c15u +
                              static_cast<std::uint64_t>(skewed_j) * 0xbf58476d1ce4e5b9u;
  return static_cast<float>(mixed(point) >> 40) / 16777216.0f;
}

/// Value noise: random numbers at the points of a lattice, smooth between them.
inline float noise(float x, float y, float z) {
  const float i = std::floor(x);
  const float j = std::floor(y);
  const float k = std::floor(z);
  const float upper_x = smooth(0, 1, x - i);
  const float upper_y = smooth(0, 1, y - j);
  const float upper_z = smooth(0, 1, z - k);
  float sum = 0;
  for (const int c : {0, 1})
    for (const int b : {0, 1})
      for (const int a : {0, 1}) {
        const float weight_x = a == 1 ? upper_x : 1 - upper_x;
        const float weight_y = b == 1 ? upper_y : 1 - upper_y;
        const float weight_z = c == 1 ? upper_z : 1 - upper_z;
        sum += weight_x * weight_y * weight_z * random_at(i + a, j + b, k + c);
      }
  return sum;
}

/// Noise of four scales, each finer and weaker than the one before; 0 to 0.94.
inline float clouds(float x, float y, float z) {
  return 0.5f * noise(x, y, z) +
         0.25f * noise(2.03f * x + 17.3f, 2.03f * y + 5.1f, 2.03f * z + 9.7f) +
         0.125f * noise(4.1f * x + 52.4f, 4.1f * y + 15.5f, 4.1f * z + 29.4f) +
         0.0625f * noise(8.4f * x + 123.7f, 8.4f * y + 36.5f, 8.4f * z + 69.4f);
}

/// size^3 texels, plane by plane: x is the density (0..1), y the share of the sun's light that
/// arrives (0..1). The volume is the cube -1..1; y points up, and the sun is above and to the side.
inline std::vector<float2> cloud_volume(int size) {
  const auto index = [size](int i, int j, int k) {
    return (static_cast<size_t>(k) * size + j) * size + i;
  };
  const auto place = [size](int n) { return (2 * n + 1.0f) / size - 1; };
  const auto for_all = [size](auto work) {
    for (int k = 0; k < size; ++k)
      for (int j = 0; j < size; ++j)
        for (int i = 0; i < size; ++i) work(i, j, k);
  };
  std::vector<float2> texels(index(0, 0, size), float2{0, 0});
  // Dense in the middle, flat below, frayed by noise towards the rim.
  for_all([&](int i, int j, int k) {
    const float x = place(i);
    const float y = place(j);
    const float z = place(k);
    const float flattened_y = (y < -0.15f ? 2.6f : 1.35f) * (y + 0.15f);
    const float to_rim = 0.95f - std::sqrt(x * x + flattened_y * flattened_y + z * z);
    const float fray = 2.2f * (clouds(2.4f * x + 7, 2.4f * y, 2.4f * z) - 0.52f);
    const float to_edge = 1 - std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
    texels[index(i, j, k)].x = smooth(0.0f, 0.3f, to_rim + fray) * smooth(0.0f, 0.12f, to_edge);
  });
  // The cloud on the way to the sun absorbs light.
  for_all([&](int i, int j, int k) {
    float passed = 0;
    for (float step = 1.5f; step < size; step += 1.5f) {
      const int a = static_cast<int>(i + step * 0.62f);
      const int b = static_cast<int>(j + step * 0.66f);
      const int c = static_cast<int>(std::floor(k - step * 0.42f));
      if (a >= size || b >= size || c < 0) break;
      passed += 1.5f * texels[index(a, b, c)].x;
    }
    texels[index(i, j, k)].y = std::exp(-0.16f * passed);
  });
  return texels;
}

/// CPU reference of tex3D: size^3 texels, normalized coordinates, 0 outside, linearly filtered. The
/// weights of the (x, z) plane are rounded as in 2D and then split along y. This reproduces nine in
/// ten results of the H200 to the bit.
inline float2 reference_tex3d(const std::vector<float2>& texels, int size, float3 p) {
  const auto at = [&](int i, int j, int k) {
    if (std::min({i, j, k}) < 0 || std::max({i, j, k}) >= size) return float2{0, 0};
    return texels[(static_cast<size_t>(k) * size + j) * size + i];
  };
  const auto [i, a] = reference::position(p.x * size);
  const auto [j, b] = reference::position(p.y * size);
  const auto [k, c] = reference::position(p.z * size);
  const float ac = reference::fraction_product(a, c);
  const float plane[4] = {1 - a - c + ac, a - ac, c - ac, ac};
  float2 sum = {};
  for (int n = 0; n < 4; ++n) {
    const float upper = reference::fraction_product(plane[n], b);
    sum = sum + (plane[n] - upper) * at(i + n % 2, j, k + n / 2) +
          upper * at(i + n % 2, j + 1, k + n / 2);
  }
  return sum;
}

// ---- rays and light

constexpr float march_step = 1.0f / 24;  // of a ray; the volume is 2 wide, a texel 1/32
constexpr float min_light = 0.01f;       // a ray ends where no more than this would pass

/// A ray: eye + t d, with d of length 1; from `first` to `last` it is in the cube -1..1.
struct Ray {
  float3 eye;
  float3 d;
  float first;
  float last;
};

/// The ray at (u, v), -1..1 in the picture (camera.h).
__host__ __device__ inline Ray ray_through(const Camera& camera, float u, float v) {
  const auto [eye, d] = view_ray(camera, u, v);
  Ray ray = {eye, d, 0, 1e9f};
  const float from[3] = {eye.x, eye.y, eye.z};
  const float along[3] = {d.x, d.y, d.z};
  for (int axis = 0; axis < 3; ++axis) {
    const float slope = fabsf(along[axis]) < 1e-6f ? 1e-6f : along[axis];
    const float near = (-1 - from[axis]) / slope;
    const float far = (1 - from[axis]) / slope;
    ray.first = fmaxf(ray.first, fminf(near, far));
    ray.last = fminf(ray.last, fmaxf(near, far));
  }
  return ray;
}

/// The state of a ray: its light so far, and the share of light from farther away that still passes
/// (Beer-Lambert: the logarithm falls in proportion to the density on the way).
struct Collected {
  float red = 0;
  float green = 0;
  float blue = 0;
  float passes = 1;

  /// One step through a texel: x its density, y the sun's light there. A cloud is lit by the sun
  /// and, a little, by the sky.
  __host__ __device__ void add(const float2& texel) {
    const float kept = expf(-9 * march_step * texel.x);
    const float gain = passes * (1 - kept);
    red += gain * (0.16f + 0.84f * texel.y);
    green += gain * (0.15f + 0.56f * texel.y);
    blue += gain * (0.26f + 0.28f * texel.y);
    passes *= kept;
  }

  /// Over the sky at dusk in direction d: orange at the horizon, deep blue above.
  __host__ __device__ float4 over_sky(const float3& d) const {
    const float height = fminf(fmaxf(0.5f + 1.1f * d.y, 0.0f), 1.0f);
    const float low = (1 - height) * (1 - height);
    const float4 sky =
        make_float4(0.03f + 0.62f * low, 0.05f + 0.22f * low, 0.16f + 0.10f * low, 1);
    return make_float4(red, green, blue, 1 - passes) + passes * sky;
  }
};
