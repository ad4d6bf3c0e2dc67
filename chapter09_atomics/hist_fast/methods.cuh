#pragma once
// The ladder: one line per rung, from plain to fast. --help, --benchmark and the tests go through this table.

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/method_table.h"
#include "1_shared.cuh"
#include "2_occupancy.cuh"
#include "3_vector.cuh"
#include "4_replicated.cuh"
#include "library.cuh"

/// Starts to count `size` bytes of device memory, at any address, into the 256 bins of `histogram` on the
/// default stream; what stood in them does not matter. 1 <= size <= most_bytes.
using CountBytes = void(const unsigned char* bytes, std::size_t size, unsigned* histogram);

inline const MethodTable<CountBytes>& histogram_methods() {
  static const MethodTable<CountBytes> table{
      method<CountBytes, SharedHistogram>("shared", "the book's kernel, 2 blocks per multiprocessor"),
      method<CountBytes, OccupancyHistogram>("occupancy", "as many blocks as fit"),
      method<CountBytes, VectorHistogram>("vector", "16 bytes per load"),
      method<CountBytes, ReplicatedHistogram>("replicated", "32 copies of each bin: no bank conflicts"),
      gpu_method<CountBytes, LibraryHistogram>("library", "cub::DeviceHistogram")};
  return table;
}
