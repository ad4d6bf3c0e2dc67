#pragma once
// Prefix sums and ordered compaction inside one block.
//
//   block_exclusive_scan, block_rank   prefix sums and ordered compaction over all threads of a block
//
// All threads of the block must reach each call. `thread` is the thread's number in the block
// (0..threads-1), a parameter with a default for one-dimensional blocks; in a block of 16 x 16 threads pass
// threadIdx.y * 16 + threadIdx.x.

#include <cuda_runtime.h>

#include "warp.cuh"

/// Shared memory for one block scan: one sum per warp.
/// Two calls that use the same scratch need a __syncthreads() between them. Calls that take turns with two
/// scratches need none, because the barrier inside the next call stands between.
template <int threads, class T = unsigned>
struct BlockScanScratch {
  static_assert(threads % warp_lanes == 0 && threads <= 1024, "whole warps only, at most 1024 threads");
  T warp_totals[threads / warp_lanes];
};

/// From one total per warp to the sum of all warps before this one; `total` becomes the sum of all, in every
/// thread. Contains the only barrier. Every warp scans the totals for itself: cheaper than one that does and
/// a second barrier at which the others wait for it.
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

/// Returns the sum of the values of all threads before this one. `total` becomes the sum over the block, in
/// every thread. `threads` is the size of the block, a multiple of 32.
template <int threads, class T>
__device__ inline T block_exclusive_scan(T value, BlockScanScratch<threads, T>& scratch, T& total,
                                         int thread = threadIdx.x) {
  T warp_total;
  const T in_warp = warp_exclusive_scan(value, warp_total, thread % warp_lanes);
  return block_offset_of_warp<threads>(warp_total, scratch, total, thread) + in_warp;
}

/// Ordered compaction of one flag per thread: returns how many threads before this one have `keep`. `count`
/// becomes the number of flags in the block. So `if (keep) list[rank] = item;` fills list[0..count) in thread
/// order.
template <int threads>
__device__ inline int block_rank(bool keep, BlockScanScratch<threads, int>& scratch, int& count,
                                 int thread = threadIdx.x) {
  int in_warp;
  const int rank = warp_rank(keep, in_warp, thread % warp_lanes);
  return block_offset_of_warp<threads>(in_warp, scratch, count, thread) + rank;
}
