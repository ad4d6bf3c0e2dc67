#pragma once
// The faces of a cubemap: their order, their axes, and the face that a direction meets. The guide
// has this table. m is the component of the direction (x, y, z) with the largest size; the texel is
// at ((s / m + 1) / 2, (t / m + 1) / 2) of the face.
//   face  0 +x   1 -x   2 +y   3 -y   4 +z   5 -z
//   m       x     -x      y     -y      z     -z      (so m > 0)
//   s      -z      z      x      x      x     -x
//   t      -y     -y      z     -z     -y     -y

#include <cuda_runtime.h>

#include <cmath>

/// A place on a face: s and t as in the table, already divided by m, so -1..1.
struct FacePlace {
  int face;
  float s;
  float t;
};

/// CPU reference of a cubemap's lookup.
inline FacePlace place_on_face(const float3& d) {
  const float x = std::fabs(d.x);
  const float y = std::fabs(d.y);
  const float z = std::fabs(d.z);
  if (x > y && x > z) {
    if (d.x >= 0) return {0, -d.z / x, -d.y / x};
    return {1, d.z / x, -d.y / x};
  }
  if (y > z) {
    if (d.y >= 0) return {2, d.x / y, d.z / y};
    return {3, d.x / y, -d.z / y};
  }
  if (d.z >= 0) return {4, d.x / z, -d.y / z};
  return {5, -d.x / z, -d.y / z};
}

/// The direction to a place on a face: the table read backwards, with m = 1.
__host__ __device__ inline float3 face_direction(const FacePlace& p) {
  const float3 directions[6] = {{1, -p.t, -p.s}, {-1, -p.t, p.s}, {p.s, 1, p.t},
                                {p.s, -1, -p.t}, {p.s, -p.t, 1},  {-p.s, -p.t, -1}};
  return directions[p.face];
}
