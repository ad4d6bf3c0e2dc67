// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_book.cuh"
#include "2_occupancy.cuh"
#include "3_shuffles.cuh"
#include "4_atomic.cuh"
#include "5_vector.cuh"
#include "library.cuh"

namespace dot_fast {

const MethodTable<DotMethod>& methods() {
  static const MethodTable<DotMethod> table{
      {"book", DotMethod::function_of<Book>},
      {"occupancy", DotMethod::function_of<Occupancy>},
      {"shuffles", DotMethod::function_of<Shuffles>},
      {"atomic", DotMethod::function_of<Atomic>},
      {"vector", DotMethod::function_of<Vector>},
      gpu_method<DotMethod, Library>("library", "cub::DeviceReduce"),
  };
  return table;
}

}  // namespace dot_fast
