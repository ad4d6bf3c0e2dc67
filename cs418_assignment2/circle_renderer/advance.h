#pragma once
// How the animated scenes move: one step of 1/60 second for one circle.
//
// One function for CPU and GPU, so both move alike; compiled without contraction (EXACT) even the last bit
// agrees. That matters for the snow, where the wind depends on the cell a flake is in: one bit of difference
// at the border of a cell, and two flakes part.

#include <cuda_runtime.h>

#include <cstdint>

#include "circle.h"

enum class Animation { none, bouncing_balls, hypnosis, fireworks, snow, sunflower };

constexpr float seconds_per_step = 1.0f / 60.0f;

// The part of a circle that moves, with what it needs to know about itself.
struct Moving {
  float x, y, z, radius;
  float2 velocity;  // width of the image per second; fireworks and sunflower keep a direction here
};

// Balls fall, bounce off the floor with a little loss, and off the walls.
__host__ __device__ inline void advance_ball(Moving& ball) {
  constexpr float gravity = -2.0f, bounce = 0.95f;
  ball.velocity.y += gravity * seconds_per_step;
  ball.x += ball.velocity.x * seconds_per_step;
  ball.y += ball.velocity.y * seconds_per_step;
  if (ball.y < ball.radius && ball.velocity.y < 0) {
    ball.y = 2 * ball.radius - ball.y;
    ball.velocity.y = -bounce * ball.velocity.y;
  }
  const bool at_left = ball.x < ball.radius && ball.velocity.x < 0;
  const bool at_right = ball.x > 1 - ball.radius && ball.velocity.x > 0;
  if (at_left || at_right) ball.velocity.x = -ball.velocity.x;
}

// Rings grow. Ring 0 is the largest and lies below all others, so no ring may overtake another: each grows
// until it has the size that the ring two before it began with, and all fall back together. Colours
// alternate, so nobody sees the fall.
__host__ __device__ inline float hypnosis_radius(int ring, int rings, int step) {
  constexpr int steps_a_ring = 40;
  constexpr float width = 0.02f;
  const float growth = static_cast<float>(step % (2 * steps_a_ring)) / steps_a_ring;  // 0..2
  return width * (static_cast<float>(rings - 1 - ring) + growth);
}

// Bursts of 20 sparks. A spark flies from the burst's centre in its own direction, falls, and shrinks; after
// 72 steps the burst begins anew somewhere else. Position in closed form: nothing adds up.
constexpr int bursts = 15, sparks_a_burst = 20;
__host__ __device__ inline void place_spark(Moving& spark, int index, int step) {
  constexpr int life = 72;
  const int burst = index / sparks_a_burst;
  const int clock = step + burst * (life / bursts + 1) * 7;  // bursts do not all begin together
  const float age = static_cast<float>(clock % life) * seconds_per_step;
  const std::uint32_t place = static_cast<std::uint32_t>(clock / life * bursts + burst) * 2;
  const float centre_x = 0.15f + 0.7f * hash_to_unit(place);
  const float centre_y = 0.35f + 0.5f * hash_to_unit(place + 1);
  spark.x = centre_x + spark.velocity.x * age;
  spark.y = centre_y + spark.velocity.y * age - 0.06f * age * age;
  spark.radius = 0.016f - 0.011f * (age / (life * seconds_per_step));
}

// Flakes fall with gravity -1.8 against a drag of 2 times the velocity, and flutter: a sideways and upward
// push that is random for each cell of a 16 x 16 x 16 grid and changes twice a second. Far flakes (z near 1)
// move up to 15 times slower, as they look up to 15 times smaller. The snow fills a column three images high:
// a flake that leaves at the bottom comes back at its top, somewhere else; sideways it comes back at the
// other side.
constexpr float snow_column = 3.0f;
__host__ __device__ inline float snow_scale(float z) { return (1 - z) + z / 15; }
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

// Seeds of a sunflower (H. Vogel, "A better way to construct the sunflower head", 1979): the n-th seed lies
// at n times the golden angle, at a distance that grows with the square root of n, so that each gets the same
// area. The flower grows: each step makes every seed a fifth of a seed older; the oldest starts again at the
// centre.
__host__ __device__ inline void place_seed(Moving& seed, int index, int count, int step) {
  constexpr int steps_a_seed = 5;
  const std::int64_t life = static_cast<std::int64_t>(count) * steps_a_seed;
  const std::int64_t ticks = (static_cast<std::int64_t>(index) * steps_a_seed + step) % life;
  const float age = static_cast<float>(ticks) / static_cast<float>(life);  // 0..1
  const float distance = 0.62f * sqrtf(age);
  seed.x = 0.5f + distance * seed.velocity.x;
  seed.y = 0.5f + distance * seed.velocity.y;
  seed.radius = 0.004f + 0.024f * sqrtf(age);
}

// From step number `step` to the next. `step` counts from 0, the scene as it was made.
__host__ __device__ inline void advance(Animation kind, Moving& circle, int index, int count, int step) {
  switch (kind) {
    case Animation::none:
      break;
    case Animation::bouncing_balls:
      advance_ball(circle);
      break;
    case Animation::hypnosis:
      circle.radius = hypnosis_radius(index, count, step + 1);
      break;
    case Animation::fireworks:
      place_spark(circle, index, step + 1);
      break;
    case Animation::snow:
      advance_flake(circle, index, step);
      break;
    case Animation::sunflower:
      place_seed(circle, index, count, step + 1);
      break;
  }
}
