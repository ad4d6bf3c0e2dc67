#pragma once
// The camera of cubemap_texture, cubemap_layered_texture and texture_3d: it circles the origin and
// looks there. Host and device compute the same bits, built without contraction.

#include <cuda_runtime.h>
#include <math.h>

constexpr float camera_distance = 3.1f;  // from the origin

/// What the camera sees at a pixel: eye + t d, for t > 0.
struct ViewRay {
  float3 eye;
  float3 d;  // of length 1
};

/// The ray at (u, v), -1..1 across the picture. The camera is at an angle round the origin and at a
/// height above the horizon, each as cosine and sine.
__host__ __device__ inline ViewRay view_ray(float cosine, float sine, float u, float v,
                                            float2 height) {
  constexpr float half_view = 0.5f;  // the tangent of half the angle of view
  const float out = camera_distance * height.x;
  const float3 eye = {out * sine, camera_distance * height.y, -out * cosine};
  const float a = u * half_view;
  const float b = v * half_view;
  const float length = sqrtf(1 + a * a + b * b);
  const float up = b * height.x - height.y;
  const float ahead = height.x + b * height.y;
  const float3 d = {(a * cosine - ahead * sine) / length, up / length,
                    (ahead * cosine + a * sine) / length};
  return {eye, d};
}
