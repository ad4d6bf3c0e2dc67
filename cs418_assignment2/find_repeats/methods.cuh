#pragma once
// The ladder: one line per rung, from plain to fast. --help, --benchmark, the tests and the benchmark program
// go through this table.

#include <cuda_runtime.h>

#include <cstddef>
#include <limits>

#include "../../common/method_table.h"
#include "1_scan.cuh"
#include "2_fused.cuh"
#include "library.cuh"

/// Writes all i with in[i] == in[i+1], ascending, to `out`, and returns how many there are. Only the first
/// `capacity` are written. `in` has n numbers, is aligned to 16 bytes and does not overlap `out`. Returns
/// when the count is there and all indices are written; work goes to the default stream.
using FindRepeats = std::size_t(const int* in, std::size_t n, int* out, std::size_t capacity);

/// Indices are ints, so that is the largest array.
constexpr std::size_t most_with_int_indices = std::numeric_limits<int>::max();

inline const MethodTable<FindRepeats>& find_repeats_methods() {
  static const MethodTable<FindRepeats> table{
      method<FindRepeats, ScanRepeats>("scan", "flags, their exclusive scan, scatter: as the course says"),
      method<FindRepeats, FusedRepeats>(
          "fused",
          "one launch: flags as bits in registers, one exchange per round, indices written in order"),
      gpu_method<FindRepeats, CubRepeats>("cub", "cub::DeviceSelect")};
  return table;
}
