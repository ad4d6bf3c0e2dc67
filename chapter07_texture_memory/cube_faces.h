#pragma once
// The faces of a cubemap: their order and their axes, and a cube unfolded to a cross.
//
// The guide's table. m is the component of the direction (x, y, z) that has the largest size; the texel lies
// at ((s / m + 1) / 2, (t / m + 1) / 2) of the face.
//   face  0 +x   1 -x   2 +y   3 -y   4 +z   5 -z
//   m       x     -x      y     -y      z     -z      (so m > 0)
//   s      -z      z      x      x      x     -x
//   t      -y     -y      z     -z     -y     -y

#include <cuda_runtime.h>

/// A place on a face: s and t as in the table, already divided by m, so -1..1. face -1: on no face.
struct FacePlace {
  int face;
  float s, t;
};

/// The direction to a place on a face: the table read backwards, with m = 1.
__host__ __device__ inline float3 face_direction(const FacePlace& p) {
  switch (p.face) {
    case 0:
      return make_float3(1, -p.t, -p.s);
    case 1:
      return make_float3(-1, -p.t, p.s);
    case 2:
      return make_float3(p.s, 1, p.t);
    case 3:
      return make_float3(p.s, -1, -p.t);
    case 4:
      return make_float3(p.s, -p.t, 1);
    default:
      return make_float3(-p.s, -p.t, -1);
  }
}

/// Which face lies at a place of the unfolded cube, 4 columns by 3 rows, row 0 at the bottom; -1: none.
///         +y
///     -x  +z  +x  -z
///         -y
__host__ __device__ inline int cross_face(int column, int row) {
  const int middle[4] = {1, 4, 0, 5};
  if (column > 3 || row > 2) return -1;
  if (row == 1) return middle[column];
  if (column != 1) return -1;
  return row == 2 ? 2 : 3;
}

/// Where pixel (x, y) of an unfolded cube looks; a face has `unit` x `unit` pixels. t grows downward.
__host__ __device__ inline FacePlace cross_place(int x, int y, int unit) {
  const float s = 2 * ((x % unit + 0.5f) / unit) - 1, t = 1 - 2 * ((y % unit + 0.5f) / unit);
  return {cross_face(x / unit, y / unit), s, t};
}
