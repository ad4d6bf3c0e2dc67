// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_book.cuh"
#include "2_cull.cuh"
#include "3_depth.cuh"

namespace ray_fast {

const MethodTable<RayMethod>& methods() {
  static const MethodTable<RayMethod> table{
      {"book", "every pixel tests every sphere, in constant memory", rung<BookTracer>},
      {"cull", "a list of spheres per tile of 16 x 16 pixels (culling)", rung<CullingTracer>},
      {"depth", "the list from front to back, until no later sphere can win", rung<DepthTracer>}};
  return table;
}

}  // namespace ray_fast
