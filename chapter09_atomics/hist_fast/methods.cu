// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_shared.cuh"
#include "2_occupancy.cuh"
#include "3_vector.cuh"
#include "4_replicated.cuh"
#include "library.cuh"

namespace hist_fast {

const MethodTable<HistogramMethod>& methods() {
  static const MethodTable<HistogramMethod> table{
      {"shared", HistogramMethod::function_of<SharedHistogram>},
      {"occupancy", HistogramMethod::function_of<OccupancyHistogram>},
      {"vector", HistogramMethod::function_of<VectorHistogram>},
      {"replicated", HistogramMethod::function_of<ReplicatedHistogram>},
      gpu_method<HistogramMethod, LibraryHistogram>("library", "cub::DeviceHistogram")};
  return table;
}

}  // namespace hist_fast
