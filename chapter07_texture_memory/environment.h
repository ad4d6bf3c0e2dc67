#pragma once
// Landscapes around a viewer, made from formulas: what the cubemap samples put on the six faces of a cubemap.
// Computed on the host, so that both builds and every GPU get the same texels.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "colors.h"
#include "cpu_texture.h"
#include "cube_faces.h"
#include "noise.h"

enum class Scene { noon, sunset, night, studio };
constexpr int scenes = 4;
constexpr const char* scene_names[scenes] = {"noon", "sunset", "night", "studio"};

namespace environment_detail {

inline float4 mix(const float4& a, const float4& b, float t) { return (1 - t) * a + t * b; }

struct Light {
  float4 zenith, horizon, cloud, sun, ground_a, ground_b, haze;
  float3 to_sun;  // of any length
  float sun_size, glow, cloud_cover;
};

inline Light light_of(Scene scene) {
  switch (scene) {
    case Scene::sunset:
      return {{0.16f, 0.18f, 0.42f, 1},
              {0.98f, 0.55f, 0.28f, 1},
              {0.95f, 0.50f, 0.45f, 1},
              {1.0f, 0.88f, 0.60f, 1},
              {0.30f, 0.20f, 0.18f, 1},
              {0.55f, 0.38f, 0.28f, 1},
              {0.85f, 0.48f, 0.32f, 1},
              {-0.70f, 0.20f, 0.68f},
              0.9975f,
              24,
              0.50f};
    case Scene::night:
      return {{0.03f, 0.045f, 0.13f, 1},
              {0.13f, 0.18f, 0.36f, 1},
              {0.26f, 0.30f, 0.44f, 1},
              {0.97f, 0.97f, 0.90f, 1},
              {0.05f, 0.08f, 0.12f, 1},
              {0.14f, 0.19f, 0.27f, 1},
              {0.11f, 0.16f, 0.32f, 1},
              {0.50f, 0.42f, -0.76f},
              0.9955f,
              90,
              0.55f};
    case Scene::studio:
      return {{0.10f, 0.10f, 0.12f, 1},
              {0.42f, 0.42f, 0.46f, 1},
              {1, 1, 1, 1},
              {1, 1, 1, 1},
              {0.20f, 0.20f, 0.22f, 1},
              {0.72f, 0.72f, 0.74f, 1},
              {0.42f, 0.42f, 0.46f, 1},
              {0.4f, 0.8f, 0.447f},
              0.97f,
              40,
              2.0f};
    default:
      return {{0.10f, 0.30f, 0.72f, 1},
              {0.70f, 0.84f, 0.97f, 1},
              {1.0f, 1.0f, 1.0f, 1},
              {1.0f, 0.96f, 0.82f, 1},
              {0.16f, 0.36f, 0.14f, 1},
              {0.52f, 0.62f, 0.26f, 1},
              {0.66f, 0.78f, 0.86f, 1},
              {0.52f, 0.58f, 0.627f},
              0.9985f,
              60,
              0.47f};
  }
}

}  // namespace environment_detail

/// The color seen in direction d (any length but 0); y is up.
inline float4 environment(float3 d, Scene scene) {
  using namespace environment_detail;
  const float length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  d = {d.x / length, d.y / length, d.z / length};
  Light light = light_of(scene);
  const float3 sun = light.to_sun;
  const float sun_length = std::sqrt(sun.x * sun.x + sun.y * sun.y + sun.z * sun.z);
  light.to_sun = {sun.x / sun_length, sun.y / sun_length, sun.z / sun_length};

  // Far hills: the horizon is a little wavy.
  const float around = std::atan2(d.z, d.x);
  const float ridge = scene == Scene::studio
                          ? 0.0f
                          : 0.035f + 0.05f * clouds(6 * std::cos(around) + 20, 6 * std::sin(around) + 20);
  float4 color;
  if (d.y > ridge) {
    color = mix(light.horizon, light.zenith, std::pow(d.y, 0.55f));
    const float toward = d.x * light.to_sun.x + d.y * light.to_sun.y + d.z * light.to_sun.z;
    const float glow = std::pow(std::max(toward, 0.0f), light.glow);
    color = mix(color, light.sun, 0.6f * glow);
    // Clouds lie on a flat ceiling: the same cloud looks smaller near the horizon.
    const float px = d.x / (d.y + 0.12f), py = d.z / (d.y + 0.12f);
    const float cover =
        smooth(light.cloud_cover, light.cloud_cover + 0.28f, clouds(1.6f * px + 8, 1.6f * py + 3));
    color = mix(color, mix(light.cloud, light.sun, 0.4f * glow), 0.85f * cover * smooth(0.02f, 0.25f, d.y));
    if (scene == Scene::night) {
      const float star =
          lattice(static_cast<std::int64_t>(180 * d.x + 1000), static_cast<std::int64_t>(180 * d.z + 1000));
      if (star > 0.994f) color = mix(color, {1, 1, 1, 1}, 0.8f * (1 - cover));
    }
    color = mix(color, light.sun, smooth(light.sun_size, light.sun_size + 0.0008f, toward));
  } else if (d.y > 0) {
    const float shade = 0.8f + 0.4f * clouds(40 * around, 60 * d.y);
    color = mix(shade * light.ground_a, light.haze, 0.5f);
  } else {
    // The ground is a plane below the viewer: a soft checkerboard that fades into the haze.
    const float depth = std::max(-d.y, 1e-3f), px = d.x / depth, py = d.z / depth;
    const float far = smooth(3.0f, 30.0f, std::sqrt(px * px + py * py));
    const float edge = 0.03f + 0.012f * (px * px + py * py);  // softer with distance
    auto stripe = [&](float v) {
      return smooth(-edge, edge, std::fabs(v - 2 * std::floor(v / 2) - 1) - 0.5f);
    };
    const float sx = stripe(px), sy = stripe(py);
    const float checker = sx + sy - 2 * sx * sy;
    const float grain = 0.85f + 0.3f * clouds(5 * px, 5 * py);
    color = mix(grain * mix(light.ground_a, light.ground_b, checker), light.haze, far);
  }
  return {std::min(color.x, 1.0f), std::min(color.y, 1.0f), std::min(color.z, 1.0f), 1.0f};
}

/// The direction to the middle of texel (i, j) of a face with `size` texels per side.
inline float3 texel_direction(int face, int i, int j, int size) {
  return face_direction({face, 2 * (i + 0.5f) / size - 1, 2 * (j + 0.5f) / size - 1});
}

/// The six faces one after another, size * size texels each, in the order +x -x +y -y +z -z.
inline std::vector<float4> environment_faces(Scene scene, int size) {
  std::vector<float4> texels;
  texels.reserve(static_cast<std::size_t>(6) * size * size);
  for (int face = 0; face < 6; ++face)
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i) texels.push_back(environment(texel_direction(face, i, j, size), scene));
  return texels;
}

/// The same as textures of the CPU reference, one per face.
inline std::vector<reference::Texture<float4>> reference_faces(const std::vector<float4>& texels, int size) {
  auto faces = reference::layers(texels, size, size);
  for (auto& face : faces) face.normalized = true;
  return faces;
}

/// How far a color read from a cubemap with these texels may be from the reference's: 1/512 as everywhere,
/// and because the guide leaves open how exactly s / m is computed, a fraction that is off by 1/256 in both
/// directions. That changes a filtered color by at most 2/256 of the largest difference between neighboring
/// texels of a face.
inline float cubemap_tolerance(const std::vector<float4>& texels, int size) {
  float largest = 0;
  auto compare = [&](const float4& a, const float4& b) {
    largest = std::max({largest, std::fabs(a.x - b.x), std::fabs(a.y - b.y), std::fabs(a.z - b.z)});
  };
  for (std::size_t n = 0; n < texels.size(); ++n) {
    if (n % size + 1 < static_cast<std::size_t>(size)) compare(texels[n], texels[n + 1]);
    if (n / size % size + 1 < static_cast<std::size_t>(size)) compare(texels[n], texels[n + size]);
  }
  return 1.0f / 512 + 2.0f / 256 * largest;
}
