#pragma once
// The motion of circles: one step of 1/60 second, for CPU and GPU. Compiled without contraction,
// they agree bit for bit. This matters for snow, where the wind depends on the cell of a flake: one
// bit of difference at a cell's border separates two flakes.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "scene.h"

namespace circle_renderer {

constexpr float seconds_per_step = 1.0f / 60.0f;

/// A ball, straight down or up: x never changes. The floor is at y = 0, where the ball's center
/// turns around, so balls sink below the edge of the image by half.
__host__ __device__ inline void advance_ball(Circle& ball, float2& velocity) {
  constexpr float gravity = -2.8f;
  constexpr float bounce = -0.8f;
  constexpr float negligible = 0.001f;
  const float y = ball.y;
  const float speed = velocity.y;
  if (y == 0 && speed == 0) return;  // at rest
  if (y < 0 && speed < 0) velocity.y *= bounce;
  velocity.y += gravity * seconds_per_step;
  ball.y += velocity.y * seconds_per_step;
  if (fabsf(velocity.y - speed) < negligible && y < 0 && fabsf(ball.y - y) < negligible) {
    velocity.y = 0;
    ball.y = 0;
  }
}

/// Rings grow; one that is too large starts again small.
__host__ __device__ inline void advance_ring(Circle& ring) {
  ring.radius = ring.radius > 0.5f ? 0.02f : ring.radius + 0.01f;
}

constexpr int bursts = 15;
constexpr int sparks_per_burst = 20;
// The radius of a center, and the distance from it at which its sparks start.
constexpr float burst_radius = 0.005f;

/// A spark flies a fifth of its direction per second; after a certain distance it starts again. The
/// first circles are the bursts' centers, which stay.
__host__ __device__ inline void advance_spark(Circle& spark, const Motion& motion, int index) {
  constexpr float farthest = 0.25f;
  const float2 direction = motion.velocity;
  const float2 origin = motion.origin;
  if (index < bursts) return;
  spark.x += direction.x / 5 / 60;
  spark.y += direction.y / 5 / 60;
  const float dx = spark.x - origin.x;
  const float dy = spark.y - origin.y;
  if (sqrtf(dx * dx + dy * dy) > farthest) {
    spark.x = origin.x + burst_radius * direction.x;
    spark.y = origin.y + burst_radius * direction.y;
  }
}

constexpr float snow_column = 3.0f;  // the snow fills a column three images high

/// The scale of a flake's size and speed at depth z: 1 in front (z = 0), 1/15 at the back.
__host__ __device__ inline float snow_scale(float z) { return (1 - z) + z / 15; }

/// A hash for pseudo-random decisions that CPU and GPU must take alike. (Finalizer of MurmurHash3
/// by Austin Appleby, public domain.) Returns a float in [0, 1).
__host__ __device__ inline float hash_to_unit(std::uint32_t value) {
  value ^= value >> 16;
  value *= 0x85ebca6bu;
  value ^= value >> 13;
  value *= 0xc2b2ae35u;
  value ^= value >> 16;
  return static_cast<float>(value >> 8) * (1.0f / 16777216.0f);
}

/// Flakes fall with gravity -1.8 against a drag of 2 times the velocity, and flutter: a sideways
/// and upward push that is random for each cell of a 16 x 16 x 16 lattice and changes twice a
/// second. A flake that leaves at the bottom comes back at the column's top, somewhere else;
/// sideways it comes back at the other side.
__host__ __device__ inline void advance_flake(Circle& flake, float2& velocity, int index,
                                              int step) {
  constexpr float gravity = -1.8f;
  constexpr float drag = 2.0f;
  constexpr float flutter = 4.0f;
  constexpr float cells = 16.0f;
  const auto cell_x = static_cast<std::uint32_t>(static_cast<int>(floorf(flake.x * cells)));
  const auto cell_y = static_cast<std::uint32_t>(static_cast<int>(floorf(flake.y * cells)));
  const auto cell_z = static_cast<std::uint32_t>(static_cast<int>(floorf(flake.z * cells)));
  const std::uint32_t cell = cell_x + cell_y * 0x9e3779b1u + cell_z * 0x85ebca77u +
                             static_cast<std::uint32_t>(step / 30) * 0xc2b2ae3du;
  const float push_x = flutter * (hash_to_unit(cell) - 0.5f);
  const float push_y = flutter * (hash_to_unit(~cell) - 0.5f);
  velocity.x += (push_x - drag * velocity.x) * seconds_per_step;
  velocity.y += (gravity + push_y - drag * velocity.y) * seconds_per_step;
  const float scale = snow_scale(flake.z) * seconds_per_step;
  flake.x += velocity.x * scale;
  flake.y += velocity.y * scale;
  if (flake.y < -flake.radius) {
    flake.y += snow_column;
    flake.x = hash_to_unit(static_cast<std::uint32_t>(index) * 0x9e3779b1u +
                           static_cast<std::uint32_t>(step));
  }
  if (flake.x < -flake.radius) flake.x += 1 + 2 * flake.radius;
  if (flake.x > 1 + flake.radius) flake.x -= 1 + 2 * flake.radius;
}

/// Places a seed of the sunflower as it stands after `step` steps (H. Vogel, "A better way to
/// construct the sunflower head", 1979): the n-th seed lies at n times the golden angle, at a
/// distance that grows with the square root of n, so that each gets the same area. Each step makes
/// every seed a fifth of a seed older; the oldest starts again at the center.
__host__ __device__ inline void place_seed(Circle& seed, const float2& direction, int index,
                                           int count, int step) {
  constexpr int steps_per_seed = 5;
  const std::int64_t life = static_cast<std::int64_t>(count) * steps_per_seed;
  const std::int64_t ticks = (static_cast<std::int64_t>(index) * steps_per_seed + step) % life;
  const float age = static_cast<float>(ticks) / static_cast<float>(life);  // 0..1
  const float distance = 0.62f * sqrtf(age);
  seed.x = 0.5f + distance * direction.x;
  seed.y = 0.5f + distance * direction.y;
  seed.radius = 0.004f + 0.024f * sqrtf(age);
}

/// Moves circle `index` of `count` from step number `step` to the next. `step` counts from 0, the
/// scene as it was made.
__host__ __device__ inline void advance(Animation kind, Circle& circle, Motion& motion, int index,
                                        int count, int step) {
  if (kind == Animation::bouncing_balls) advance_ball(circle, motion.velocity);
  if (kind == Animation::hypnosis) advance_ring(circle);
  if (kind == Animation::fireworks) advance_spark(circle, motion, index);
  if (kind == Animation::snow) advance_flake(circle, motion.velocity, index, step);
  if (kind == Animation::sunflower) place_seed(circle, motion.velocity, index, count, step + 1);
}

/// One step of the whole scene, on the CPU. A still scene stays as it is.
inline void advance(Scene& scene) {
  for (size_t i = 0; i < scene.motion.size(); ++i)
    advance(scene.animation, scene.circles[i], scene.motion[i], static_cast<int>(i), scene.count(),
            scene.step);
  ++scene.step;
}

}  // namespace circle_renderer
