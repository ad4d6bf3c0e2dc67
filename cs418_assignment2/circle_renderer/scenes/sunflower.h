#pragma once
// sunflower, our own: the head of a sunflower that never stops growing.

#include <cmath>
#include <cstdint>

#include "scene.h"

/// Places a seed as it stands after `step` steps (H. Vogel, "A better way to construct the sunflower head",
/// 1979): the n-th seed lies at n times the golden angle, at a distance that grows with the square root of n,
/// so that each gets the same area. The flower grows: each step makes every seed a fifth of a seed older; the
/// oldest starts again at the center.
__host__ __device__ inline void place_seed(Moving& seed, int index, int count, int step) {
  constexpr int steps_per_seed = 5;
  const std::int64_t life = static_cast<std::int64_t>(count) * steps_per_seed;
  const std::int64_t ticks = (static_cast<std::int64_t>(index) * steps_per_seed + step) % life;
  const float age = static_cast<float>(ticks) / static_cast<float>(life);  // 0..1
  const float distance = 0.62f * sqrtf(age);
  seed.x = 0.5f + distance * seed.velocity.x;
  seed.y = 0.5f + distance * seed.velocity.y;
  seed.radius = 0.004f + 0.024f * sqrtf(age);
}

/// 2,400 seeds. Seeds whose numbers differ by 34 stand in one of 34 spirals; the color goes three times
/// through gold, red and blue on the way around.
inline Scene sunflower_scene() {
  Scene scene;
  scene.animation = Animation::sunflower;
  scene.background = {{0.02f, 0.04f, 0.10f}, {0.05f, 0.10f, 0.16f}};
  constexpr int seeds = 2400, spirals = 34;
  constexpr int step_to_neighbor = 21;  // 21 * 13 = 1 modulo 34, and 13 is the difference to the next spiral
  const double golden_angle = 3.14159265358979 * (3 - std::sqrt(5.0));
  for (int seed = 0; seed < seeds; ++seed) {
    const double angle = golden_angle * seed;
    const int spiral = seed * step_to_neighbor % spirals;
    const float phase = 2 * 3.14159265f * 3 * static_cast<float>(spiral) / spirals;
    const float warm = 0.5f + 0.5f * std::sin(phase), glow = 0.5f + 0.5f * std::sin(2 * phase + 1);
    Moving moving{0, 0, 0.5f, 0, {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))}};
    place_seed(moving, seed, seeds, 0);
    scene.circles.push_back({moving.x, moving.y, 0.5f, moving.radius, 0.15f + 0.85f * warm,
                             0.25f + 0.55f * glow * warm + 0.1f * (1 - warm), 0.10f + 0.6f * (1 - warm),
                             0.6f});
    scene.velocity.push_back(moving.velocity);
  }
  return scene;
}
