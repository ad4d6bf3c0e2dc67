#pragma once
// How a warp scans and writes its rows of numbers, which it holds in registers.

#include "../device/warp.cuh"

/// Of one lane's numbers.
__device__ inline unsigned sum_of(uint4 v) { return v.x + v.y + v.z + v.w; }

/// A lane's part of its warp's rows, and what lies before it in the warp.
template <int rows>
struct WarpRows {
  uint4 values[rows];
  unsigned before[rows];  // the sum of everything in the warp's rows before values[r]

  __device__ unsigned lane_sum() const {
    unsigned sum = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) sum += sum_of(values[r]);
    return sum;
  }

  /// Fills `before`. This is warp_exclusive_scan for all rows in step: a shuffle takes some 25 clocks, in which the other
  /// rows go on.
  __device__ void scan(int lane) {
#pragma unroll
    for (int r = 0; r < rows; ++r) before[r] = sum_of(values[r]);
#pragma unroll
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const unsigned left = __shfl_up_sync(all_lanes, before[r], distance);
        if (lane >= distance) before[r] += left;
      }
    }
    unsigned rows_before = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const unsigned row_total = __shfl_sync(all_lanes, before[r], warp_lanes - 1);
      before[r] += rows_before - sum_of(values[r]);
      rows_before += row_total;
    }
  }

  /// Writes the exclusive sums to array[first ...], as far as it has room for n numbers; `start` is the sum of everything
  /// before the warp's rows.
  __device__ void store(unsigned* array, std::size_t n, std::size_t first, int lane, unsigned start) const {
    unsigned* out = array + first + 4 * lane;
    const bool whole = first + rows * row_items <= n;  // asked once for the warp, as in load_rows()
    const std::size_t available = whole ? 0 : left_of(n, first + 4 * lane);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const std::size_t left = left_of(available, r * row_items);
      uint4 sums;
      sums.x = start + before[r];
      sums.y = sums.x + values[r].x;
      sums.z = sums.y + values[r].y;
      sums.w = sums.z + values[r].z;
      if (whole || left >= 4) {
        *reinterpret_cast<uint4*>(out + r * row_items) = sums;
      } else {
        if (left > 0) out[r * row_items] = sums.x;
        if (left > 1) out[r * row_items + 1] = sums.y;
        if (left > 2) out[r * row_items + 2] = sums.z;
      }
    }
  }
};
