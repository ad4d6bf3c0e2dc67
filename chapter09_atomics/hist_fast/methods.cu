// The ladder: one line per rung, from plain to fast. --help, --benchmark and the tests go through this table. It is
// compiled once for all of them, as a library (add_cuda_library() in cmake/CudaProgram.cmake, which also says what
// [[gnu::used]] is for).

#include "methods.h"

#include "1_shared.cuh"
#include "2_occupancy.cuh"
#include "3_vector.cuh"
#include "4_replicated.cuh"
#include "library.cuh"

[[gnu::used]] const MethodTable<Method<CountBytes>>& histogram_methods() {
  static const MethodTable<Method<CountBytes>> table{
      method<CountBytes, SharedHistogram>("shared", "the book's kernel, 2 blocks per multiprocessor"),
      method<CountBytes, OccupancyHistogram>("occupancy", "as many blocks as fit"),
      method<CountBytes, VectorHistogram>("vector", "16 bytes per load"),
      method<CountBytes, ReplicatedHistogram>("replicated", "32 copies of each bin: no bank conflicts"),
      gpu_method<CountBytes, LibraryHistogram>("library", "cub::DeviceHistogram")};
  return table;
}
