// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_book.cuh"
#include "2_cull.cuh"
#include "3_depth.cuh"

namespace ray_fast {

const MethodTable<RayMethod>& methods() {
  static const MethodTable<RayMethod> table{
      {"book", RayMethod::function_of<BookTracer>},
      {"cull", RayMethod::function_of<CullingTracer>},
      {"depth", RayMethod::function_of<DepthTracer>},
  };
  return table;
}

}  // namespace ray_fast
