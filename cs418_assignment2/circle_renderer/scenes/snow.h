#pragma once
// snow: 100,000 flakes that fall and flutter in front of a gray sky. (The course's own flutter and its file
// of flakes are not public: this is similar snow, not the same.)

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "scene.h"

constexpr float snow_column = 3.0f;  // the snow fills a column three images high

/// How much smaller and slower a flake at depth z looks: 1 in front (z = 0), 1/15 at the back.
__host__ __device__ inline float snow_scale(float z) { return (1 - z) + z / 15; }

/// Step number `step` (from 0) of a flake. Flakes fall with gravity -1.8 against a drag of 2 times the
/// velocity, and flutter: a sideways and upward push that is random for each cell of a 16 x 16 x 16 grid and
/// changes twice a second. A flake that leaves at the bottom comes back at the column's top, somewhere else;
/// sideways it comes back at the other side.
__host__ __device__ inline void advance_flake(Moving& flake, int index, int step) {
  constexpr float gravity = -1.8f, drag = 2.0f, flutter = 4.0f, cells = 16.0f;
  const auto cell_x = static_cast<std::uint32_t>(static_cast<int>(floorf(flake.x * cells)));
  const auto cell_y = static_cast<std::uint32_t>(static_cast<int>(floorf(flake.y * cells)));
  const auto cell_z = static_cast<std::uint32_t>(static_cast<int>(floorf(flake.z * cells)));
  const std::uint32_t cell = cell_x + cell_y * 0x9e3779b1u + cell_z * 0x85ebca77u +
                             static_cast<std::uint32_t>(step / 30) * 0xc2b2ae3du;
  const float push_x = flutter * (hash_to_unit(cell) - 0.5f);
  const float push_y = flutter * (hash_to_unit(~cell) - 0.5f);
  flake.velocity.x += (push_x - drag * flake.velocity.x) * seconds_per_step;
  flake.velocity.y += (gravity + push_y - drag * flake.velocity.y) * seconds_per_step;
  const float scale = snow_scale(flake.z) * seconds_per_step;
  flake.x += flake.velocity.x * scale;
  flake.y += flake.velocity.y * scale;
  if (flake.y < -flake.radius) {
    flake.y += snow_column;
    flake.x =
        hash_to_unit(static_cast<std::uint32_t>(index) * 0x9e3779b1u + static_cast<std::uint32_t>(step));
  }
  if (flake.x < -flake.radius) flake.x += 1 + 2 * flake.radius;
  if (flake.x > 1 + flake.radius) flake.x -= 1 + 2 * flake.radius;
}

/// The flakes at rest, the farthest first.
inline Scene snow_scene() {
  constexpr int flakes = 100000;
  Scene scene;
  scene.animation = Animation::snow;
  scene.snowflakes = true;
  scene.background = {{0.4f, 0.4f, 0.4f}, {0.45f, 0.45f, 0.45f}};
  // Most flakes are far away: the tenth root pushes the depths towards 1.
  std::vector<float> depths(flakes);
  for (int i = 0; i < flakes; ++i) {
    const float even = static_cast<float>(i) / flakes;
    depths[static_cast<std::size_t>(i)] =
        std::clamp(std::pow(even, 0.1f) - 0.05f + 0.1f * rand_unit(), 0.0f, 1.0f);
  }
  std::sort(depths.begin(), depths.end(), std::greater<float>());
  for (const float z : depths) {
    const float near_radius = 0.08f - 0.0075f + 0.015f * rand_unit();
    float radius = near_radius * snow_scale(z);
    if (z < 0.02f)
      radius *= 3;
    else
      radius = std::max(radius, 0.0075f);
    const float x = rand_unit();
    const float y = snow_column * rand_unit();
    scene.circles.push_back({x, y, z, radius, 1, 1, 1, half_transparent});
    scene.velocity.push_back({0, 0});
  }
  return scene;
}
