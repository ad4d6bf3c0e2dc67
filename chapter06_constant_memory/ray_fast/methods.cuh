#pragma once
// The ladder: one line per rung, from plain to fast. --help, --benchmark and the tests go through this table.

#include <cuda_runtime.h>

#include "../../common/method_table.h"
#include "1_book.cuh"
#include "2_cull.cuh"
#include "3_depth.cuh"

/// Starts to draw `count` spheres of device memory on the default stream: pixels[x + y * dim] for a picture
/// of dim x dim pixels, the same to the bit by every method. count >= 0, 1 <= dim <= 65535.
using TraceSpheres = void(const Sphere* spheres, int count, uchar4* pixels, int dim);

inline const MethodTable<TraceSpheres>& ray_methods() {
  static const MethodTable<TraceSpheres> table{
      method<TraceSpheres, BookTracer>("book", "every pixel tests every sphere, in constant memory"),
      method<TraceSpheres, CullingTracer>("cull", "a list of spheres per tile of 16 x 16 pixels"),
      method<TraceSpheres, DepthTracer>("depth", "the list from front to back, until no later one can win")};
  return table;
}
