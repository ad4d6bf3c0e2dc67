#pragma once
// Prefix sums and ordered compaction inside one warp, for every kernel of the assignment.
//
//   warp_inclusive_scan, warp_exclusive_scan   prefix sums over the 32 lanes of a warp
//   warp_sum                                   the sum alone, for which newer GPUs have one instruction
//   warp_rank                                  ordered compaction of one flag per lane
//
// All 32 lanes of a warp must reach each call. `lane` is the thread's number in its warp (0..31). It is a
// parameter with a default for one-dimensional blocks; in a block of 16 x 16 threads pass
// (threadIdx.y * 16 + threadIdx.x) % warp_lanes. Sums wrap when T is unsigned. Signed overflow is undefined
// in C++, so scan ints as unsigned.

#include <cuda_runtime.h>

constexpr int warp_lanes = 32;
constexpr unsigned all_lanes = 0xffffffffu;

/// The bits of all lanes below `lane`: with a ballot it counts the set flags before this one.
__device__ inline unsigned lanes_below(int lane) { return (1u << lane) - 1; }

/// Returns value[0] + ... + value[lane].
/// Hillis and Steele: after the step with distance d every lane holds the sum of the last 2d values, so five
/// steps do. (GPU Gems 3, chapter 39, section 39.2.1; shuffles: CUDA programming guide, warp shuffle
/// functions.)
template <class T>
__device__ inline T warp_inclusive_scan(T value, int lane = threadIdx.x % warp_lanes) {
#pragma unroll
  for (int distance = 1; distance < warp_lanes; distance *= 2) {
    const T before = __shfl_up_sync(all_lanes, value, distance);
    if (lane >= distance) value += before;
  }
  return value;
}

/// Returns value[0] + ... + value[lane - 1], 0 in lane 0. `total` becomes the sum of all 32, in every lane.
template <class T>
__device__ inline T warp_exclusive_scan(T value, T& total, int lane = threadIdx.x % warp_lanes) {
  const T inclusive = warp_inclusive_scan(value, lane);
  total = __shfl_sync(all_lanes, inclusive, warp_lanes - 1);
  return inclusive - value;
}

/// Returns the sum of the 32 values in every lane. From compute capability 8.0 on it is one instruction.
__device__ inline unsigned warp_sum(unsigned value) {
#if !defined(EMULATED_DEVICE) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(all_lanes, value);
#else
#pragma unroll
  for (int distance = warp_lanes / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
#endif
}

/// Ordered compaction of one flag per lane: returns how many lanes before this one have `keep`, so the place
/// where this lane's item goes. `count` becomes the number of flags in the warp. A ballot costs one
/// instruction where a scan costs ten.
__device__ inline int warp_rank(bool keep, int& count, int lane = threadIdx.x % warp_lanes) {
  const unsigned kept = __ballot_sync(all_lanes, keep);
  count = __popc(kept);
  return __popc(kept & lanes_below(lane));
}
