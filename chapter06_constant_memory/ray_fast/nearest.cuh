#pragma once
// What rungs 2 and 3 do for a pixel: keep the nearest sphere so far, in whatever order they come.

#include <cuda_runtime.h>

#include "../ray_common.h"

/// The nearest surface on the ray of one pixel.
struct Nearest {
  float depth = -infinitely_far;
  int index = -1;  // of the sphere
  float r = 0, g = 0, b = 0;

  /// Takes the sphere if it is nearer. Of equal depths the one of the lower index wins, as in the book's
  /// loop, so that the order in which spheres come does not matter.
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
