#pragma once
// A mirror ball at the origin: what a pixel sees in it. Shared by the host and the device; built without contraction,
// both compute the same bits.

#include <cuda_runtime.h>

#include "camera.h"

/// What a pixel sees: a direction to look up, and how much of that light arrives.
struct Sight {
  float3 direction;
  float weight;
};

/// The ball has radius 1; a ray that misses it sees the landscape itself.
__host__ __device__ inline Sight look(const Camera& camera, float u, float v) {
  const float3 d = view_direction(camera, u, v);

  // |eye + t d| = 1
  const float3& e = camera.eye;
  const float along = e.x * d.x + e.y * d.y + e.z * d.z;
  const float inside = along * along - (e.x * e.x + e.y * e.y + e.z * e.z - 1);
  if (inside < 0) return {d, 1.0f};
  const float t = -along - sqrtf(inside);
  const float3 n = {e.x + t * d.x, e.y + t * d.y, e.z + t * d.z};
  const float facing = d.x * n.x + d.y * n.y + d.z * n.z;  // -1 in the middle, 0 at the rim
  const float3 reflected = {d.x - 2 * facing * n.x, d.y - 2 * facing * n.y, d.z - 2 * facing * n.z};
  const float rim = 1 + facing, rim2 = rim * rim;
  return {reflected,
          0.84f + 0.16f * (rim2 * rim2 * rim)};  // metal mirrors best at grazing angles (Schlick, 1994)
}
