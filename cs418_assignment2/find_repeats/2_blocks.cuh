#pragma once
// Rung 2, `blocks`: stream compaction in three launches, without an array of flags.
//
// Computing a flag again costs less than keeping it in memory. The first launch counts the repeats in each tile, 4096
// numbers that belong to one block. The second, of a single block, scans the counts, which gives the number of repeats
// before each tile. The third reads the numbers again, and a scan inside the block gives the position of each thread's
// indices in the output.
//
//   ./run find_repeats -n 1000000 --method blocks
//
// Gain over `scan`: it reads 8 bytes per number and writes only the indices, where `scan` moves 24. Its bottleneck: the
// array is read twice, and adjacent threads write their indices to positions that are not adjacent.

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"

// A tile is 4 rows of 1024 numbers. In each row a thread has four numbers that follow each other: one 16-byte load.
constexpr int repeat_threads = 256, repeat_rows = 4, repeat_row = 4 * repeat_threads,
              repeat_tile = repeat_rows * repeat_row;

/// Bit k, for k from 0 to 3: is in[i + k] equal to its successor?
static __device__ unsigned four_flags(const int* in, std::size_t n, std::size_t i) {
  if (i + 4 < n) {
    const int4 v = *reinterpret_cast<const int4*>(in + i);
    return unsigned{v.x == v.y} | unsigned{v.y == v.z} << 1 | unsigned{v.z == v.w} << 2 |
           unsigned{v.w == in[i + 4]} << 3;
  }
  unsigned flags = 0;
  for (int k = 0; k < 3; ++k)  // the array ends here: only numbers before its last one have a successor
    if (i + k + 1 < n && in[i + k] == in[i + k + 1]) flags |= 1u << k;
  return flags;
}

/// An exclusive scan over the block, which all its threads call: returns the sum of `value` over the threads before this
/// one; `total` becomes that over all.
static __device__ unsigned sum_before(unsigned value, unsigned& total) {
  __shared__ unsigned warp_sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  // Hillis and Steele: after a step it holds the sum of the last 2 * distance lanes.
  unsigned inclusive = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffff, inclusive, distance);
    if (lane >= distance) inclusive += left;
  }
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - value;
  total = 0;
  for (int w = 0; w < warps; ++w) {
    if (w < warp) before += warp_sums[w];
    total += warp_sums[w];
  }
  __syncthreads();  // warp_sums is free for the next call
  return before;
}

/// One block per tile.
static __global__ void count_repeats(const int* in, std::size_t n, unsigned* counts) {
  const std::size_t first = std::size_t{blockIdx.x} * repeat_tile + 4 * threadIdx.x;
  unsigned mine = 0, total;
  for (int row = 0; row < repeat_rows; ++row) mine += __popc(four_flags(in, n, first + row * repeat_row));
  sum_before(mine, total);
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

/// One block. counts[tile] becomes the sum of the counts before it, and counts[tiles] that of all.
static __global__ void scan_counts(unsigned* counts, std::size_t tiles) {
  unsigned before = 0, total;
  for (std::size_t first = 0; first < tiles; first += blockDim.x) {
    const std::size_t tile = first + threadIdx.x;
    const unsigned rank = sum_before(tile < tiles ? counts[tile] : 0, total);
    if (tile < tiles) counts[tile] = before + rank;
    before += total;
  }
  if (threadIdx.x == 0) counts[tiles] = before;
}

/// One block per tile. before[tile]: how many repeats there are before it.
static __global__ void write_tile(const int* in, std::size_t n, const unsigned* before, int* out) {
  const std::size_t first = std::size_t{blockIdx.x} * repeat_tile + 4 * threadIdx.x;
  std::size_t row_place = before[blockIdx.x];  // where the indices of this row begin in the output
  for (int row = 0; row < repeat_rows; ++row) {
    const std::size_t i = first + row * repeat_row;
    const unsigned flags = four_flags(in, n, i);
    unsigned total;
    std::size_t place = row_place + sum_before(__popc(flags), total);
    for (int k = 0; k < 4; ++k)
      if ((flags >> k & 1) != 0) out[place++] = static_cast<int>(i + k);
    row_place += total;
  }
}

class BlocksRepeats {
 public:
  /// Scratch memory: a count per tile, and their sum.
  explicit BlocksRepeats(std::size_t max_n) : counts_(div_up(max_n, repeat_tile) + 1), count_(1) {}

  std::size_t run(const int* in, std::size_t n, int* out, cudaStream_t stream = nullptr) {
    if (n < 2) return 0;
    const std::size_t tiles = div_up(n, repeat_tile);
    unsigned* counts = counts_.get();
    count_repeats<<<tiles, repeat_threads, 0, stream>>>(in, n, counts);
    HANDLE_ERROR(cudaGetLastError());
    scan_counts<<<1, 1024, 0, stream>>>(counts, tiles);
    HANDLE_ERROR(cudaGetLastError());
    write_tile<<<tiles, repeat_threads, 0, stream>>>(in, n, counts, out);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(
        cudaMemcpyAsync(count_.get(), counts + tiles, sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
    HANDLE_ERROR(cudaStreamSynchronize(stream));
    return *count_.get();
  }

 private:
  DeviceMemory<unsigned> counts_;
  PinnedMemory<unsigned> count_;
};
