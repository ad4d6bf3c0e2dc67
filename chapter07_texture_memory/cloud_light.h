#pragma once
// Light in the cloud of texture_3d: where a ray runs, what it collects, the sky behind, colors of slices.
// Shared by the host and the device.

#include <cuda_runtime.h>

#include <cmath>

#include "colors.h"

constexpr float march_step = 1.0f / 24;  // of a ray; the volume is 2 wide, a texel 1/32
constexpr float least_light = 0.01f;     // a ray ends where no more than this would pass

/// The part of a ray that lies in a volume; empty where first >= last.
struct Span {
  float first, last;
};

/// Where the ray eye + t d is within the cube -1..1, for t >= 0.
__host__ __device__ inline Span span_in_cube(const float3& eye, const float3& d) {
  Span span = {0, 1e9f};
  const float from[3] = {eye.x, eye.y, eye.z}, along[3] = {d.x, d.y, d.z};
  for (int axis = 0; axis < 3; ++axis) {
    const float slope = fabsf(along[axis]) < 1e-6f ? 1e-6f : along[axis];
    const float a = (-1 - from[axis]) / slope, b = (1 - from[axis]) / slope;
    span.first = fmaxf(span.first, fminf(a, b));
    span.last = fminf(span.last, fmaxf(a, b));
  }
  return span;
}

/// What a ray has collected: light, and how much of what lies farther still passes (Beer-Lambert: the
/// logarithm falls in proportion to the density on the way).
struct Collected {
  float red = 0, green = 0, blue = 0, passes = 1;

  /// One step through a texel: x its density, y the sun's light there. A cloud is lit by the sun and, a
  /// little, by the sky.
  __host__ __device__ void add(const float2& texel) {
    constexpr float thickness = 9 * march_step;
    const float kept = expf(-thickness * texel.x), gain = passes * (1 - kept);
    red += gain * (0.16f + 0.84f * texel.y);
    green += gain * (0.15f + 0.56f * texel.y);
    blue += gain * (0.26f + 0.28f * texel.y);
    passes *= kept;
  }

  __host__ __device__ float4 over(const float4& background) const {
    return make_float4(red, green, blue, 1 - passes) + passes * background;
  }
};

/// The sky at dusk in direction d: orange at the horizon, deep blue above.
__host__ __device__ inline float4 sky(const float3& d) {
  const float height = fminf(fmaxf(0.5f + 1.1f * d.y, 0.0f), 1.0f), low = (1 - height) * (1 - height);
  return make_float4(0.03f + 0.62f * low, 0.05f + 0.22f * low, 0.16f + 0.10f * low, 1);
}

/// A texel of a slice: dense is bright; blue in the shadow, yellow in the sun.
__host__ __device__ inline float4 slice_color(const float2& texel) {
  return make_float4(texel.x * texel.y, texel.x * (0.3f + 0.5f * texel.y), texel.x * (0.7f - 0.4f * texel.y),
                     1);
}
