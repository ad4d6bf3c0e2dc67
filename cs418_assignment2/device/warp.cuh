#pragma once
// What one warp does together in the last rungs of scan and find_repeats: sums, and reads of whole rows. All 32 lanes
// reach each call.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int warp_lanes = 32;
constexpr unsigned all_lanes = 0xffffffffu;

/// A row is 128 numbers that follow each other, lane k having numbers 4k .. 4k+3: a load or store of the warp is 512
/// contiguous bytes.
constexpr int row_items = 4 * warp_lanes;

/// The sum of the 32 values in every lane. From compute capability 8.0 on it is one instruction.
__device__ inline unsigned warp_sum(unsigned value) {
#if !defined(EMULATED_DEVICE) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(all_lanes, value);
#else
  for (int distance = warp_lanes / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
#endif
}

/// The sum of the values of the lanes below; `total` becomes that of all 32, in every lane. Hillis and Steele: after the
/// step with distance d a lane holds the sum of the last 2d values, so five steps do.
__device__ inline unsigned warp_exclusive_scan(unsigned value, unsigned& total, int lane) {
  unsigned inclusive = value;
#pragma unroll
  for (int distance = 1; distance < warp_lanes; distance *= 2) {
    const unsigned left = __shfl_up_sync(all_lanes, inclusive, distance);
    if (lane >= distance) inclusive += left;
  }
  total = __shfl_sync(all_lanes, inclusive, warp_lanes - 1);
  return inclusive - value;
}

/// How many of the elements from `first` on lie below n.
__device__ inline std::size_t left_of(std::size_t n, std::size_t first) { return first < n ? n - first : 0; }

/// A lane's part of the rows that begin at array[first]; the array has n numbers, what is beyond counts as 0.
/// `whole`: all are below n, tested once per warp on numbers that all lanes share. If each lane made the test, the
/// compiler would have to expect divergence here.
template <int rows>
__device__ inline void load_rows(uint4 (&values)[rows], const unsigned* array, std::size_t n,
                                 std::size_t first, int lane, bool whole) {
  const unsigned* in = array + first + 4 * lane;
  const std::size_t available = left_of(n, first + 4 * lane);
  if (whole) {
#pragma unroll
    for (int r = 0; r < rows; ++r) values[r] = *reinterpret_cast<const uint4*>(in + r * row_items);
  } else {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const std::size_t left = left_of(available, r * row_items);
      const unsigned* v = in + r * row_items;
      values[r] = {left > 0 ? v[0] : 0, left > 1 ? v[1] : 0, left > 2 ? v[2] : 0, left > 3 ? v[3] : 0};
    }
  }
}
