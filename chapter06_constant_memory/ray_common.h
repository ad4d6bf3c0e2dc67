#pragma once
// The shared parts of ray_noconst, ray and ray_fast: the spheres and the CPU reference. The
// differences are in the programs.

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "../common/parallel.h"
#include "../common/picture/image.h"
#include "../common/random.h"

constexpr float infinitely_far = 2e10f;

/// The coordinate in the scene of a pixel of a dim x dim picture. The scene spans -512 to 512 for
/// every dim. At dim = 1024, the book's size, the coordinate is pixel - dim / 2.
__host__ __device__ inline float scene_coordinate(int pixel, int dim) {
  return static_cast<float>(pixel - dim / 2) * (1024.0f / static_cast<float>(dim));
}

struct Sphere {
  // The color, each in [0, 1).
  float r;
  float g;
  float b;
  float radius;
  // The center; the camera looks along the z axis from +z.
  float x;
  float y;
  float z;

  /// The depth at which a ray parallel to the z axis through (ox, oy) meets the sphere (greater is
  /// nearer to the camera), or -infinitely_far for a miss. `shade` is 1 where the surface faces the
  /// camera, 0 at the rim.
  __host__ __device__ float hit(float ox, float oy, float* shade) const {
    const float dx = ox - x;
    const float dy = oy - y;
    if (dx * dx + dy * dy < radius * radius) {
      const float dz = sqrtf(radius * radius - dx * dx - dy * dy);
      *shade = dz / radius;
      return dz + z;
    }
    return -infinitely_far;
  }
};

/// `count` spheres of random color, place and radius. The same seed gives the same spheres.
inline std::vector<Sphere> random_spheres(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Sphere> spheres(count);
  for (Sphere& s : spheres) {
    s.r = random.uniform();
    s.g = random.uniform();
    s.b = random.uniform();
    s.x = random.uniform(-500, 500);
    s.y = random.uniform(-500, 500);
    s.z = random.uniform(-500, 500);
    s.radius = random.uniform(20, 120);
  }
  return spheres;
}

/// CPU reference: for every pixel the nearest sphere on its ray, the first of equals.
inline Image reference_ray(int dim, std::span<const Sphere> spheres) {
  Image image(dim, dim);
  parallel_for(dim, [&](int y) {
    for (int x = 0; x < dim; ++x) {
      const float ox = scene_coordinate(x, dim);
      const float oy = scene_coordinate(y, dim);
      float r = 0;
      float g = 0;
      float b = 0;
      float nearest = -infinitely_far;
      for (const Sphere& s : spheres) {
        float shade = 0;
        const float depth = s.hit(ox, oy, &shade);
        if (depth > nearest) {
          r = s.r * shade;
          g = s.g * shade;
          b = s.b * shade;
          nearest = depth;
        }
      }
      unsigned char* pixel = image.pixel(x, y);
      pixel[0] = static_cast<unsigned char>(r * 255);
      pixel[1] = static_cast<unsigned char>(g * 255);
      pixel[2] = static_cast<unsigned char>(b * 255);
      pixel[3] = 255;
    }
  });
  return image;
}
