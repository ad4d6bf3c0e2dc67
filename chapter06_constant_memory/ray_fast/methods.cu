// The ladder: one line per rung, from plain to fast. --help, --benchmark and the tests go through this table. It is
// compiled once for all of them, as a library (add_cuda_library() in cmake/CudaProgram.cmake, which also says what
// [[gnu::used]] is for).

#include "methods.h"

#include "1_book.cuh"
#include "2_cull.cuh"
#include "3_depth.cuh"

[[gnu::used]] const MethodTable<Method<TraceSpheres>>& ray_methods() {
  static const MethodTable<Method<TraceSpheres>> table{
      method<TraceSpheres, BookTracer>("book", "every pixel tests every sphere, in constant memory"),
      method<TraceSpheres, CullingTracer>("cull", "a list of spheres per tile of 16 x 16 pixels"),
      method<TraceSpheres, DepthTracer>("depth", "the list from front to back, until no later one can win")};
  return table;
}

[[gnu::used]] RayLimits ray_limits() { return {chunk_spheres, most_candidates}; }
