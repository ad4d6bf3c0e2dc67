#pragma once
// What rungs 2 and 3 share: a tile, the square of pixels that a block draws, and which spheres touch it.

#include <cuda_runtime.h>

#include "../ray_common.h"

constexpr int tile_side = 16;  // pixels, and threads: one thread per pixel
constexpr int tile_threads = tile_side * tile_side;

/// The part of the scene that a block draws, from its first to its last pixel.
struct Tile {
  float left, right, low, high;

  __device__ explicit Tile(int dim)
      : left(scene_coordinate(blockIdx.x * tile_side, dim)),
        right(scene_coordinate(blockIdx.x * tile_side + tile_side - 1, dim)),
        low(scene_coordinate(blockIdx.y * tile_side, dim)),
        high(scene_coordinate(blockIdx.y * tile_side + tile_side - 1, dim)) {}

  /// Sphere::hit()'s test, for the point of the tile nearest to the sphere's center. It needs no margin for
  /// rounding: subtraction, multiplication and addition round monotonically, so no pixel of the tile can get
  /// a smaller dx * dx + dy * dy than this point.
  __device__ bool touches(const Sphere& s) const {
    const float dx = fminf(fmaxf(s.x, left), right) - s.x;
    const float dy = fminf(fmaxf(s.y, low), high) - s.y;
    return dx * dx + dy * dy < s.radius * s.radius;
  }
};
