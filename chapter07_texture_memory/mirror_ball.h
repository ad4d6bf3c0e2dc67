#pragma once
// The scene of cubemap_texture and cubemap_layered_texture: landscapes, made from formulas, and a
// ball that mirrors them. look() runs on the host and the device. Both are built without
// contraction and compute the same bits.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "camera.h"
#include "cpu_texture.h"
#include "cube_faces.h"
#include "texture_common.h"

struct Landscape {
  const char* name;
  float4 zenith;
  float4 horizon;
  float4 ground;
  float4 sun;
  float3 to_sun;  // of length 1
};
constexpr Landscape landscapes[] = {{.name = "noon",
                                     .zenith = {.1f, .3f, .75f, 1},
                                     .horizon = {.75f, .87f, 1, 1},
                                     .ground = {.3f, .5f, .2f, 1},
                                     .sun = {1, .95f, .8f, 1},
                                     .to_sun = {.52f, .58f, .627f}},
                                    {.name = "sunset",
                                     .zenith = {.16f, .18f, .42f, 1},
                                     .horizon = {1, .55f, .25f, 1},
                                     .ground = {.4f, .27f, .2f, 1},
                                     .sun = {1, .85f, .5f, 1},
                                     .to_sun = {-.7f, .2f, .685f}},
                                    {.name = "night",
                                     .zenith = {.02f, .03f, .1f, 1},
                                     .horizon = {.13f, .18f, .38f, 1},
                                     .ground = {.1f, .14f, .2f, 1},
                                     .sun = {.9f, .9f, .8f, 1},
                                     .to_sun = {.5f, .42f, -.757f}},
                                    {.name = "fog",
                                     .zenith = {.6f, .62f, .66f, 1},
                                     .horizon = {.85f, .85f, .85f, 1},
                                     .ground = {.45f, .45f, .5f, 1},
                                     .sun = {1, 1, 1, 1},
                                     .to_sun = {.4f, .8f, .447f}}};

/// The color seen in direction d (of length 1); y is up.
inline float4 seen(const Landscape& land, const float3& d) {
  const auto mix = [](const float4& a, const float4& b, float t) { return (1 - t) * a + t * b; };
  // The ground: a soft checkerboard on a plane, which fades into the distance.
  if (d.y < 0) {
    const float x = d.x / -d.y;
    const float z = d.z / -d.y;
    const float far = std::min(std::sqrt(x * x + z * z) / 14, 1.0f);
    const float checker =
        std::clamp(0.5f + 3 * std::sin(2.2f * x) * std::sin(2.2f * z), 0.0f, 1.0f);
    return mix(mix(land.ground, land.horizon, 0.45f * checker), land.horizon, far);
  }
  // The sky, and in it the sun, with a narrow and a wide glow around it.
  const float toward_sun =
      std::max(d.x * land.to_sun.x + d.y * land.to_sun.y + d.z * land.to_sun.z, 0.0f);
  const float disk = 700 * (toward_sun - 0.9985f);
  const float sun = std::clamp(0.5f * std::pow(toward_sun, 60.0f) + disk, 0.0f, 1.0f);
  const float glow = 0.3f * std::pow(toward_sun, 12.0f);
  const float4 sky = mix(land.horizon, land.zenith, std::sqrt(d.y));
  return mix(sky, land.sun, std::max(sun, glow));
}

/// The six faces one after another, size * size texels each, in the order +x -x +y -y +z -z.
inline std::vector<float4> faces_of(const Landscape& land, int size) {
  std::vector<float4> texels;
  for (int face = 0; face < 6; ++face)
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i) {
        const float3 d =
            face_direction({face, 2 * (i + 0.5f) / size - 1, 2 * (j + 0.5f) / size - 1});
        const float length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        texels.push_back(seen(land, {d.x / length, d.y / length, d.z / length}));
      }
  return texels;
}

/// CPU reference of texCubemap: the face is a texture of its own, without filtering across its
/// edges.
inline float4 reference_cubemap(const std::vector<reference::Texture<float4>>& faces,
                                const float3& d, int layer = 0) {
  const auto [face, s, t] = place_on_face(d);
  const auto& texture = faces[6 * layer + face];
  return reference::tex2d(texture, (s + 1) / 2 * texture.width, (t + 1) / 2 * texture.height);
}

/// The tolerance of a color: 1/512 as everywhere, plus a fraction that is off by 1/256 in both
/// directions, because the guide leaves open how exactly s / m is computed.
constexpr float cubemap_tolerance = 1.0f / 512 + 2.0f / 256;

/// A pixel's view: a direction to look up, and the share of that light that arrives.
struct Sight {
  float3 direction;
  float weight;
};

/// u, v: -1..1 across the picture (camera.h). The ball of radius 1 is at the origin; a ray that
/// misses it sees the landscape.
__host__ __device__ inline Sight look(const Camera& camera, float u, float v) {
  const auto [e, d] = view_ray(camera, u, v);

  // |e + t d| = 1, a quadratic equation for t; the smaller t is the near side of the ball.
  const float along = e.x * d.x + e.y * d.y + e.z * d.z;
  const float discriminant = along * along - (camera_distance * camera_distance - 1);
  if (discriminant < 0) return {d, 1.0f};
  const float t = -along - sqrtf(discriminant);
  const float3 n = {e.x + t * d.x, e.y + t * d.y, e.z + t * d.z};
  const float facing = d.x * n.x + d.y * n.y + d.z * n.z;  // -1 in the middle, 0 at the rim
  const float3 mirrored = {d.x - 2 * facing * n.x, d.y - 2 * facing * n.y, d.z - 2 * facing * n.z};
  const float rim = 1 + facing;  // metal mirrors best there (Schlick, 1994)
  return {mirrored, 0.84f + 0.16f * (rim * rim * rim * rim * rim)};
}
