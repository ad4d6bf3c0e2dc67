#pragma once
// The camera of cubemap_texture, cubemap_layered_texture and texture_3d. It circles the origin and
// looks at it. Host and device compute the same bits, because both are built without contraction.

#include <cuda_runtime.h>

#include <cmath>

constexpr float camera_distance = 3.1f;  // from the origin

/// An angle for the camera, computed on the host: a GPU's sines need not equal the host's.
struct Angle {
  float cosine = 1;
  float sine = 0;
};
inline Angle angle_of(float radians) { return {std::cos(radians), std::sin(radians)}; }

/// The camera's position, seen from the origin.
struct Camera {
  Angle azimuth;         ///< around the y axis, which points up
  Angle elevation = {};  ///< above the horizon
};

/// The camera's ray at a pixel: eye + t d, for t > 0.
struct ViewRay {
  float3 eye;
  float3 d;  // of length 1
};

/// The ray at (u, v), -1..1 across the picture.
__host__ __device__ inline ViewRay view_ray(const Camera& camera, float u, float v) {
  constexpr float half_view = 0.5f;  // the tangent of half the angle of view
  const auto [cosine, sine] = camera.azimuth;
  const auto [level, height] = camera.elevation;
  const float distance_to_axis = camera_distance * level;
  const float3 eye = {distance_to_axis * sine, camera_distance * height,
                      -distance_to_axis * cosine};
  const float right = u * half_view;
  const float up = v * half_view;
  const float length = sqrtf(1 + right * right + up * up);
  const float rise = up * level - height;
  const float ahead = level + up * height;
  const float3 d = {(right * cosine - ahead * sine) / length, rise / length,
                    (ahead * cosine + right * sine) / length};
  return {eye, d};
}
