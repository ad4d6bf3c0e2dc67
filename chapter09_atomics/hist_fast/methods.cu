// The ladder: one entry per rung, from plain to fast. --help, --benchmark and the tests go through this table.

#include "methods.h"

#include "1_shared.cuh"
#include "2_occupancy.cuh"
#include "3_vector.cuh"
#include "4_replicated.cuh"
#include "library.cuh"

const MethodTable<HistogramMethod>& histogram_methods() {
  static const MethodTable<HistogramMethod> table{
      {"shared", "the book's kernel, 2 blocks per multiprocessor", rung<SharedHistogram>},
      {"occupancy", "as many blocks as fit", rung<OccupancyHistogram>},
      {"vector", "16 bytes per load", rung<VectorHistogram>},
      {"replicated", "32 copies of each bin: no bank conflicts", rung<ReplicatedHistogram>},
      gpu_method<HistogramMethod, LibraryHistogram>("library", "cub::DeviceHistogram")};
  return table;
}
