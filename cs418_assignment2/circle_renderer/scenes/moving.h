#pragma once
// What the animated scenes share: the state of a circle that moves, and a step's length.
//
// Each scene has one step function for CPU and GPU, so both move alike; compiled without contraction (EXACT)
// even the last bit agrees. That matters for the snow, where the wind depends on the cell a flake is in: one
// bit of difference at the border of a cell, and two flakes part.

#include <cuda_runtime.h>

#include <cstdint>

enum class Animation { none, bouncing_balls, hypnosis, fireworks, snow, sunflower };

constexpr float seconds_per_step = 1.0f / 60.0f;

/// The part of a circle that moves, with what it needs to know about itself.
struct Moving {
  float x, y, z, radius;
  /// Image widths per second; fireworks and sunflower keep a direction (a unit vector) here.
  float2 velocity;
};

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
