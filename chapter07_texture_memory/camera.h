#pragma once
// A camera that goes round the origin, for cubemap_texture, cubemap_layered_texture and texture_3d: where a pixel
// looks. Shared by the host and the device; built without contraction, both compute the same bits.

#include <cuda_runtime.h>

#include <cmath>

struct Camera {
  float3 eye, right, up, forward;
};

/// A camera at `angle` (radians) around the y axis, a little above the horizon, looking at the origin.
inline Camera camera_at(float angle) {
  constexpr float distance = 3.1f, height = 0.35f;
  const float s = std::sin(angle), c = std::cos(angle);
  const float3 eye = {distance * s, height, -distance * c};
  const float length = std::sqrt(distance * distance + height * height);
  const float3 forward = {-eye.x / length, -eye.y / length, -eye.z / length};
  const float3 right = {c, 0, s};
  const float3 up = {forward.y * right.z, forward.z * right.x - forward.x * right.z, -forward.y * right.x};
  return {eye, right, up, forward};
}

/// The direction, of length 1, in which a pixel looks. u, v: -1..1 across the picture.
__host__ __device__ inline float3 view_direction(const Camera& camera, float u, float v) {
  constexpr float half_view = 0.5f;  // tangent of half the angle of view
  const float a = u * half_view, b = v * half_view;
  const float3 d = {camera.forward.x + a * camera.right.x + b * camera.up.x,
                    camera.forward.y + a * camera.right.y + b * camera.up.y,
                    camera.forward.z + a * camera.right.z + b * camera.up.z};
  const float length = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
  return {d.x / length, d.y / length, d.z / length};
}
