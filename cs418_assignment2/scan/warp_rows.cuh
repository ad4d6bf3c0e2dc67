#pragma once
// How a warp reads, scans and writes numbers: what the single-pass kernels of scan and find_repeats share.
//
// A row is 128 numbers that follow each other. A warp works on rows, lane k on numbers 4k .. 4k+3 of each:
// every load and store of the warp is 512 contiguous bytes.

#include <cuda_runtime.h>

#include <cstddef>

#include "../device/warp.cuh"

constexpr int row_items = 4 * warp_lanes;

/// Of one lane's numbers.
__device__ inline unsigned sum_of(uint4 v) { return v.x + v.y + v.z + v.w; }

/// Reads the 4 numbers that begin at in[0], of which `available` exist; the others count as 0. One by one and
/// without a branch around them, so that many such reads are on their way at once.
__device__ inline uint4 load_4(const unsigned* in, std::size_t available) {
  return {available > 0 ? in[0] : 0, available > 1 ? in[1] : 0, available > 2 ? in[2] : 0,
          available > 3 ? in[3] : 0};
}
/// Writes those of the 4 numbers v for which there is room: `available` numbers from out[0] on.
__device__ inline void store_4(unsigned* out, std::size_t available, uint4 v) {
  if (available >= 4) {
    *reinterpret_cast<uint4*>(out) = v;
    return;
  }
  if (available > 0) out[0] = v.x;
  if (available > 1) out[1] = v.y;
  if (available > 2) out[2] = v.z;
}

/// How many of the elements from `first` on lie below n.
__device__ inline std::size_t left_of(std::size_t n, std::size_t first) { return first < n ? n - first : 0; }

/// A lane's part of its warp's rows, and what lies before it in the warp.
template <int rows>
struct WarpRows {
  uint4 values[rows];
  unsigned before[rows];  // the sum of everything in the warp's rows before values[r]

  /// The warp's rows begin at array[first]; the array has n numbers, what is beyond counts as 0.
  __device__ void load(const unsigned* array, std::size_t n, std::size_t first, int lane) {
    const unsigned* in = array + first + 4 * lane;
    if (whole(n, first)) {  // no tests between the loads, so that all are on their way at once
#pragma unroll
      for (int r = 0; r < rows; ++r) values[r] = *reinterpret_cast<const uint4*>(in + r * row_items);
    } else {
      const std::size_t available = left_of(n, first + 4 * lane);
#pragma unroll
      for (int r = 0; r < rows; ++r)
        values[r] = load_4(in + r * row_items, left_of(available, r * row_items));
    }
  }
  __device__ unsigned lane_sum() const {
    unsigned sum = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) sum += sum_of(values[r]);
    return sum;
  }
  /// Fills `before`. This is warp_inclusive_scan for all rows in step: a shuffle takes some 25 clocks, in
  /// which the other rows go on.
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
  /// Writes the exclusive sums, `warp_start` being the sum of everything before the warp's rows.
  __device__ void store(unsigned* array, std::size_t n, std::size_t first, int lane,
                        unsigned warp_start) const {
    unsigned* out = array + first + 4 * lane;
    const bool all = whole(n, first);
    const std::size_t available = all ? 0 : left_of(n, first + 4 * lane);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      uint4 sums;
      sums.x = warp_start + before[r];
      sums.y = sums.x + values[r].x;
      sums.z = sums.y + values[r].y;
      sums.w = sums.z + values[r].z;
      if (all)
        *reinterpret_cast<uint4*>(out + r * row_items) = sums;
      else
        store_4(out + r * row_items, left_of(available, r * row_items), sums);
    }
  }

 private:
  // Asked once for the warp, from numbers that all lanes share. If each lane asked for itself, the compiler
  // would have to expect that lanes part here.
  static __device__ bool whole(std::size_t n, std::size_t first) { return first + rows * row_items <= n; }
};
