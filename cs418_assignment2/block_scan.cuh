#pragma once
// Prefix sums and ordered compaction inside one warp and inside one block.
//
// The building blocks of scan, find_repeats and circle_renderer. They work in both builds.
//
//   warp_inclusive_scan, warp_exclusive_scan   prefix sums over the 32 lanes of a warp
//   warp_sum                                   the sum alone, for which newer GPUs have one instruction
//   warp_rank                                  ordered compaction of one flag a lane
//   block_exclusive_scan, block_rank           the same over all threads of a block
//   ArrivalSum                                 the sum over a block's warps, known to the last of them: no
//   barrier
//
// Every function must be reached by all 32 lanes of a warp, the block functions by all threads of the block.
// `lane` is the thread's number in its warp (0..31), `thread` its number in the block (0..threads-1). They
// are parameters with a default for one-dimensional blocks; in a 16 x 16 block pass threadIdx.y * 16 +
// threadIdx.x.
//
// Sums wrap when T is unsigned. Signed overflow is undefined in C++, so scan ints as unsigned.

#include <cuda_runtime.h>

constexpr int warp_lanes = 32;
constexpr unsigned all_lanes = 0xffffffffu;

// The bits of all lanes below `lane`: with a ballot it counts the set flags before this one.
__device__ inline unsigned lanes_below(int lane) { return (1u << lane) - 1; }

// Returns value[0] + ... + value[lane].
// Hillis and Steele: after the step with distance d every lane holds the sum of the last 2d values, so five
// steps do. (GPU Gems 3, chapter 39, section 39.2.1; shuffles: CUDA programming guide, warp shuffle
// functions.)
template <class T>
__device__ inline T warp_inclusive_scan(T value, int lane = threadIdx.x % warp_lanes) {
#pragma unroll
  for (int distance = 1; distance < warp_lanes; distance *= 2) {
    const T before = __shfl_up_sync(all_lanes, value, distance);
    if (lane >= distance) value += before;
  }
  return value;
}

// Returns value[0] + ... + value[lane - 1], 0 in lane 0. `total` becomes the sum of all 32, in every lane.
template <class T>
__device__ inline T warp_exclusive_scan(T value, T& total, int lane = threadIdx.x % warp_lanes) {
  const T inclusive = warp_inclusive_scan(value, lane);
  total = __shfl_sync(all_lanes, inclusive, warp_lanes - 1);
  return inclusive - value;
}

// Returns the sum of the 32 values in every lane. From compute capability 8.0 on it is one instruction.
__device__ inline unsigned warp_sum(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(all_lanes, value);
#else
#pragma unroll
  for (int distance = warp_lanes / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
#endif
}

// Ordered compaction of one flag a lane: returns how many lanes before this one have `keep`, so the place
// where this lane's item goes. `count` becomes the number of flags in the warp. A ballot costs one
// instruction where a scan costs ten.
__device__ inline int warp_rank(bool keep, int& count, int lane = threadIdx.x % warp_lanes) {
  const unsigned kept = __ballot_sync(all_lanes, keep);
  count = __popc(kept);
  return __popc(kept & lanes_below(lane));
}

// Shared memory for one block scan: one sum a warp.
// Two calls that use the same scratch need a __syncthreads() between them. Calls that take turns with two
// scratches need none, because the barrier inside the next call stands between.
template <int threads, class T = unsigned>
struct BlockScanScratch {
  static_assert(threads % warp_lanes == 0 && threads <= 1024, "whole warps only, at most 1024 threads");
  T warp_totals[threads / warp_lanes];
};

// From one total a warp to the sum of all warps before this one; `total` becomes the sum of all, in every
// thread. Contains the only barrier. Every warp scans the totals for itself: cheaper than one that does and a
// barrier for the rest to wait.
template <int threads, class T>
__device__ inline T block_offset_of_warp(T warp_total, BlockScanScratch<threads, T>& scratch, T& total,
                                         int thread = threadIdx.x) {
  constexpr int warps = threads / warp_lanes;
  const int lane = thread % warp_lanes, warp = thread / warp_lanes;
  if (lane == 0) scratch.warp_totals[warp] = warp_total;
  __syncthreads();
  const T mine = lane < warps ? scratch.warp_totals[lane] : T{};
  const T before = warp_exclusive_scan(mine, total, lane);
  return __shfl_sync(all_lanes, before, warp);
}

// Returns the sum of the values of all threads before this one. `total` becomes the sum over the block, in
// every thread. `threads` is the size of the block, a multiple of 32.
template <int threads, class T>
__device__ inline T block_exclusive_scan(T value, BlockScanScratch<threads, T>& scratch, T& total,
                                         int thread = threadIdx.x) {
  T warp_total;
  const T in_warp = warp_exclusive_scan(value, warp_total, thread % warp_lanes);
  return block_offset_of_warp<threads>(warp_total, scratch, total, thread) + in_warp;
}

// Ordered compaction of one flag a thread: returns how many threads before this one have `keep`. `count`
// becomes the number of flags in the block. So `if (keep) list[rank] = item;` fills list[0..count) in thread
// order.
template <int threads>
__device__ inline int block_rank(bool keep, BlockScanScratch<threads, int>& scratch, int& count,
                                 int thread = threadIdx.x) {
  int in_warp;
  const int rank = warp_rank(keep, in_warp, thread % warp_lanes);
  return block_offset_of_warp<threads>(in_warp, scratch, count, thread) + rank;
}

// Adds up one number a warp without a barrier: whoever comes last learns the sum and can send it on at once,
// while a barrier would make every warp wait. Lies in shared memory; clear it and put a barrier before the
// first use. After the last arrival it is clear again, for the next use behind a barrier. Two 32-bit atomics,
// because shared memory adds those by itself; one of 64 bits would be a loop of compare-and-swap.
struct ArrivalSum {
  unsigned sum, arrivals;

  __device__ void clear() { sum = arrivals = 0; }

  // One lane of each of `warps` warps calls this once. Returns true for the last one, with the sum in
  // `total`.
  __device__ bool arrive(unsigned value, unsigned warps, unsigned& total) {
    atomicAdd(&sum, value);
    __threadfence_block();  // whoever sees the arrival sees the number
    if (atomicInc(&arrivals, warps - 1) != warps - 1) return false;  // the last one makes it 0 again
    __threadfence_block();
    total = atomicExch(&sum, 0u);
    return true;
  }
};
