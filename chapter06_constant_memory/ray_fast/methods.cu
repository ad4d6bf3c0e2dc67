// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_book.cuh"
#include "2_cull.cuh"
#include "3_depth.cuh"

namespace ray_fast {

const MethodTable<RayMethod>& methods() {
  static const MethodTable<RayMethod> table{
      {"book", rung<BookTracer>},
      {"cull", rung<CullingTracer>},
      {"depth", rung<DepthTracer>},
  };
  return table;
}

}  // namespace ray_fast
