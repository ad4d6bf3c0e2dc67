#pragma once
// The shared parts of `cull` and `depth`: a tile (the square of pixels that a block draws), a test
// whether a sphere touches it, and the nearest sphere of a pixel for any order of the spheres.

#include <cuda_runtime.h>

#include "../ray_common.h"

namespace ray_fast {

constexpr int tile_side = 16;  // pixels, and threads: one thread per pixel
constexpr int tile_threads = tile_side * tile_side;

/// The part of the scene that a block draws, from its first to its last pixel.
struct Tile {
  float left;
  float right;
  float low;
  float high;

  __device__ explicit Tile(int dim)
      : left(scene_coordinate(blockIdx.x * tile_side, dim)),
        right(scene_coordinate(blockIdx.x * tile_side + tile_side - 1, dim)),
        low(scene_coordinate(blockIdx.y * tile_side, dim)),
        high(scene_coordinate(blockIdx.y * tile_side + tile_side - 1, dim)) {}

  /// Sphere::hit()'s test, for the point of the tile nearest to the sphere's center. It needs no
  /// margin for rounding: subtraction, multiplication and addition round monotonically, so no pixel
  /// of the tile can get a smaller dx * dx + dy * dy than this point.
  __device__ bool touches(const Sphere& s) const {
    const float dx = fminf(fmaxf(s.x, left), right) - s.x;
    const float dy = fminf(fmaxf(s.y, low), high) - s.y;
    return dx * dx + dy * dy < s.radius * s.radius;
  }
};

/// The nearest surface on the ray of one pixel.
struct Nearest {
  float depth = -infinitely_far;
  int index = -1;  // of the sphere
  float r = 0;
  float g = 0;
  float b = 0;

  /// Keeps the sphere if it is nearer. For equal depths the lower index wins, as in the book's
  /// loop. So the order of the spheres does not matter.
  __device__ void offer(const Sphere& sphere, int sphere_index, float ox, float oy) {
    float shade = 0;
    const float d = sphere.hit(ox, oy, &shade);
    if (d > depth || (d == depth && sphere_index < index)) {
      depth = d;
      index = sphere_index;
      r = sphere.r * shade;
      g = sphere.g * shade;
      b = sphere.b * shade;
    }
  }

  __device__ uchar4 pixel() const { return make_uchar4(r * 255, g * 255, b * 255, 255); }
};

}  // namespace ray_fast
