// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_shared.cuh"
#include "2_occupancy.cuh"
#include "3_vector.cuh"
#include "4_replicated.cuh"
#include "library.cuh"

namespace hist_fast {

const MethodTable<HistogramMethod>& methods() {
  const auto shared = [] {
    return [blocks = 2 * multiprocessors()](auto... input) { run_shared(blocks, input...); };
  };
  const auto vector = [] {
    const unsigned blocks = resident_blocks(count_vectors, vector_threads);
    return [=](auto... input) { run_vectors(blocks, input...); };
  };
  static const MethodTable<HistogramMethod> table{
      {"shared", shared},
      {"occupancy", rung<OccupancyHistogram>},
      {"vector", vector},
      {"replicated", rung<ReplicatedHistogram>},
      gpu_method<HistogramMethod, LibraryHistogram>("library", "cub::DeviceHistogram")};
  return table;
}

}  // namespace hist_fast
