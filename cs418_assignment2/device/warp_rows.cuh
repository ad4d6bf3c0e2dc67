#pragma once
// Functions with which a warp loads, scans and stores rows of 128 numbers in registers. All its
// lanes call each of them together.

#include <cuda_runtime.h>

#include <cstddef>

namespace cs418 {

constexpr int warp_lanes = 32;
constexpr int row_items = 4 * warp_lanes;
constexpr unsigned all_lanes = 0xffffffffu;

/// The sum of the 32 values in every lane. From compute capability 8.0 on it is one instruction.
__device__ inline unsigned warp_sum(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(all_lanes, value);
#else
  for (int distance = warp_lanes / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
#endif
}

__device__ inline unsigned sum_of(uint4 v) { return v.x + v.y + v.z + v.w; }

/// A lane's part of its warp's rows: numbers 4k to 4k + 3 of each for lane k, so that a load or
/// store of the warp is 512 contiguous bytes. The rows begin at array[first] of n numbers; numbers
/// beyond count as 0. The warp tests once whether there are any. If each lane tested for itself,
/// every load would wait for the test of the one before. Loops over rows have constant bounds:
/// they are unrolled, and the arrays are registers.
template <int rows>
struct WarpRows {
  uint4 values[rows];
  unsigned before[rows];  // the sum of everything in the warp's rows before values[r]

  __device__ void load(const unsigned* array, size_t n, size_t first, int lane) {
    if (first + rows * row_items <= n) {
      for (int r = 0; r < rows; ++r)
        values[r] = *reinterpret_cast<const uint4*>(array + first + r * row_items + 4 * lane);
    } else {
      const auto at = [=](size_t i) { return i < n ? array[i] : 0; };
      for (int r = 0; r < rows; ++r) {
        const size_t i = first + r * row_items + 4 * lane;
        values[r] = {at(i), at(i + 1), at(i + 2), at(i + 3)};
      }
    }
  }

  __device__ unsigned lane_sum() const {
    unsigned sum = 0;
    for (int r = 0; r < rows; ++r) sum += sum_of(values[r]);
    return sum;
  }

  /// Fills `before`. Hillis and Steele: after the step with distance d a lane holds the sum of the
  /// last 2d lanes. All rows go in step: a shuffle takes about 25 clocks, and meanwhile the other
  /// rows continue.
  __device__ void scan(int lane) {
    for (int r = 0; r < rows; ++r) before[r] = sum_of(values[r]);
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
      for (int r = 0; r < rows; ++r) {
        const unsigned left = __shfl_up_sync(all_lanes, before[r], distance);
        if (lane >= distance) before[r] += left;
      }
    }
    unsigned rows_before = 0;
    for (int r = 0; r < rows; ++r) {
      const unsigned row_sum = __shfl_sync(all_lanes, before[r], warp_lanes - 1);
      before[r] += rows_before - sum_of(values[r]);
      rows_before += row_sum;
    }
  }

  /// Writes the exclusive sums; `start` is the sum of everything before the warp's rows.
  __device__ void store(unsigned* array, size_t n, size_t first, int lane, unsigned start) const {
    const bool whole = first + rows * row_items <= n;
    for (int r = 0; r < rows; ++r) {
      const size_t i = first + r * row_items + 4 * lane;
      const unsigned x = start + before[r];
      const unsigned y = x + values[r].x;
      const unsigned z = y + values[r].y;
      const unsigned w = z + values[r].z;
      if (whole || i + 4 <= n) {
        *reinterpret_cast<uint4*>(array + i) = {x, y, z, w};
      } else {
        if (i < n) array[i] = x;
        if (i + 1 < n) array[i + 1] = y;
        if (i + 2 < n) array[i + 2] = z;
      }
    }
  }
};

}  // namespace cs418
