// What ray_noconst and ray share: the spheres and the CPU reference. The programs themselves hold what they
// differ in: the memory in which the spheres lie.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../common/book.h"
#include "../common/picture/image.h"
#include "../common/random.h"

constexpr float infinitely_far = 2e10f;

struct Sphere {
  float r, g, b;  // colour, each in [0, 1)
  float radius;
  float x, y, z;  // centre; the camera looks along the z axis from +z

  // Where a ray parallel to the z axis through (ox, oy) meets the sphere: the depth (greater is nearer to the
  // camera), or -infinitely_far for a miss. `shade` is 1 where the surface faces the camera, 0 at the rim.
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

// CPU reference: for every pixel the nearest sphere on its ray; of equals the first.
inline Image reference_ray(int dim, std::span<const Sphere> spheres) {
  Image image(dim, dim);
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const float ox = x - dim / 2, oy = y - dim / 2;
      float r = 0, g = 0, b = 0, nearest = -infinitely_far;
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
      unsigned char* pixel = &image.rgba[4 * (x + static_cast<std::size_t>(y) * dim)];
      pixel[0] = static_cast<unsigned char>(r * 255);
      pixel[1] = static_cast<unsigned char>(g * 255);
      pixel[2] = static_cast<unsigned char>(b * 255);
      pixel[3] = 255;
    }
  return image;
}
