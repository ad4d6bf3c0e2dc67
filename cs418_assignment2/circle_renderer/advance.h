#pragma once
// How circles move: one step of 1/60 second, for CPU and GPU. Compiled without contraction even the last bit agrees.
// That matters for the snow, where the wind depends on the cell a flake is in: one bit of difference at the border of a
// cell, and two flakes part.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "scene.h"

constexpr float seconds_per_step = 1.0f / 60.0f;

/// The part of a circle that moves, with what it needs to know about itself.
struct Moving {
  float x, y, z, radius;
  /// Image widths per second; fireworks and sunflower keep a direction (a unit vector) here.
  float2 velocity;
};

/// A ball, straight down or up: x never changes. The floor is at y = 0, where the ball's center turns around, so balls
/// sink below the edge of the image by half.
__host__ __device__ inline void advance_ball(Moving& ball) {
  constexpr float gravity = -2.8f, bounce = -0.8f, hardly = 0.001f;
  const float y = ball.y, velocity = ball.velocity.y;
  if (y == 0 && velocity == 0) return;  // at rest
  if (y < 0 && velocity < 0) ball.velocity.y *= bounce;
  ball.velocity.y += gravity * seconds_per_step;
  ball.y += ball.velocity.y * seconds_per_step;
  if (fabsf(ball.velocity.y - velocity) < hardly && y < 0 && fabsf(ball.y - y) < hardly)
    ball.y = ball.velocity.y = 0;
}

/// Rings grow; one that is too large starts again small.
__host__ __device__ inline void advance_ring(Moving& ring) {
  if (ring.radius > 0.5f)
    ring.radius = 0.02f;
  else
    ring.radius += 0.01f;
}

constexpr int bursts = 15, sparks_per_burst = 20;
constexpr float burst_radius = 0.005f;  // of a center, and the distance from it at which its sparks start

/// A spark flies a fifth of its direction per second; what has flown far enough starts again. The first circles are the
/// bursts' centers, which stay. `origin`: the center of the burst.
__host__ __device__ inline void advance_spark(Moving& spark, int index, const float2& origin) {
  constexpr float farthest = 0.25f;
  if (index < bursts) return;
  spark.x += spark.velocity.x / 5 / 60;
  spark.y += spark.velocity.y / 5 / 60;
  const float dx = spark.x - origin.x, dy = spark.y - origin.y;
  if (sqrtf(dx * dx + dy * dy) > farthest) {
    spark.x = origin.x + burst_radius * spark.velocity.x;
    spark.y = origin.y + burst_radius * spark.velocity.y;
  }
}

constexpr float snow_column = 3.0f;  // the snow fills a column three images high

/// How much smaller and slower a flake at depth z looks: 1 in front (z = 0), 1/15 at the back.
__host__ __device__ inline float snow_scale(float z) { return (1 - z) + z / 15; }

/// A hash for pseudo-random decisions that CPU and GPU must take alike. (Finalizer of MurmurHash3 by Austin
/// Appleby, public domain.) Returns a float in [0, 1).
__host__ __device__ inline float hash_to_unit(std::uint32_t value) {
  value ^= value >> 16;
  value *= 0x85ebca6bu;
  value ^= value >> 13;
  value *= 0xc2b2ae35u;
  value ^= value >> 16;
  return static_cast<float>(value >> 8) * (1.0f / 16777216.0f);
}

/// Flakes fall with gravity -1.8 against a drag of 2 times the velocity, and flutter: a sideways and upward push that
/// is random for each cell of a 16 x 16 x 16 grid and changes twice a second. A flake that leaves at the bottom comes
/// back at the column's top, somewhere else; sideways it comes back at the other side.
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

/// Places a seed of the sunflower as it stands after `step` steps (H. Vogel, "A better way to construct the sunflower
/// head", 1979): the n-th seed lies at n times the golden angle, at a distance that grows with the square root of n,
/// so that each gets the same area. Each step makes every seed a fifth of a seed older; the oldest starts again at the
/// center.
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

/// Moves circle `index` of `count` from step number `step` to the next. `step` counts from 0, the scene as it
/// was made. `origin`: that of the circle (Scene::origin), read by fireworks only, else null.
__host__ __device__ inline void advance(Animation kind, Moving& circle, int index, int count, int step,
                                        const float2* origin) {
  switch (kind) {
    case Animation::none:
      break;
    case Animation::bouncing_balls:
      advance_ball(circle);
      break;
    case Animation::hypnosis:
      advance_ring(circle);
      break;
    case Animation::fireworks:
      advance_spark(circle, index, *origin);
      break;
    case Animation::snow:
      advance_flake(circle, index, step);
      break;
    case Animation::sunflower:
      place_seed(circle, index, count, step + 1);
      break;
  }
}

/// One step of the whole scene, on the CPU. A still scene stays as it is.
inline void advance(Scene& scene) {
  if (scene.animation == Animation::none) return;
  for (std::size_t i = 0; i < scene.circles.size(); ++i) {
    Circle& circle = scene.circles[i];
    Moving moving{circle.x, circle.y, circle.z, circle.radius, scene.velocity[i]};
    const float2* origin = scene.origin.empty() ? nullptr : &scene.origin[i];
    advance(scene.animation, moving, static_cast<int>(i), scene.count(), scene.step, origin);
    circle.x = moving.x;
    circle.y = moving.y;
    circle.radius = moving.radius;
    scene.velocity[i] = moving.velocity;
  }
  ++scene.step;
}
