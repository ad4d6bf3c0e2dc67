#pragma once
// blocks - hierarchical scan (scan, then propagate): a tile per block, then the sums of the tiles.
//
// A tile is the part of one block: four numbers per thread. Each thread adds up its four. The block
// scans the threads' sums with shuffles and shared memory. Then each thread goes over its four
// again from the sum before them. The sums of the tiles, far fewer numbers, are scanned in the same
// way, and then added to their tiles.
//
//   ./run scan -n 1000000 --method blocks
//
// Gain over sweep on an H200: 10^6 numbers 0.159 -> 0.0124, 2^28 numbers 8.99 -> 1.81 ms
// Five launches instead of 56 (2^28 numbers), and a thread's four accesses together use all bytes
// that memory moves (each alone has a stride of 16 bytes from lane to lane: ./run --explain scan
// --method blocks). Its bottleneck: each number is read twice and written twice.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"

namespace scan {

constexpr int block_threads = 256;
constexpr int numbers_per_thread = 4;
constexpr int block_tile = numbers_per_thread * block_threads;

/// An exclusive scan over the block, which all its threads call: returns the sum of `value` over
/// the threads before this one; `total` becomes that over all. Once per kernel: a second call would
/// need a barrier before it.
static __device__ unsigned block_prefix(unsigned value, unsigned& total) {
  __shared__ unsigned warp_sums[block_threads / 32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // Hillis and Steele: each lane adds the value of the lane `distance` before it (a shuffle). After
  // a step `inclusive` is the sum of the last 2 * distance lanes.
  unsigned inclusive = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffff, inclusive, distance);
    if (lane >= distance) inclusive += left;
  }
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - value;
  total = 0;
  for (int w = 0; w < block_threads / 32; ++w) {
    if (w < warp) before += warp_sums[w];
    total += warp_sums[w];
  }
  return before;
}

/// Scans each tile for itself and writes the tile's sum to sums[tile]. `in` and `out` may be the
/// same array.
static __global__ void scan_blocks(const unsigned* in, unsigned* out, size_t n, unsigned* sums) {
  const size_t first = size_t{blockIdx.x} * block_tile + numbers_per_thread * threadIdx.x;
  unsigned values[numbers_per_thread];
  unsigned sum = 0;
  for (int k = 0; k < numbers_per_thread; ++k) {
    values[k] = first + k < n ? in[first + k] : 0;
    sum += values[k];
  }
  unsigned total;
  unsigned before = block_prefix(sum, total);
  for (int k = 0; k < numbers_per_thread; ++k) {
    if (first + k < n) out[first + k] = before;
    before += values[k];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

/// Adds sums[tile], by now the sum of all tiles before, to each element of the tile.
static __global__ void add_to_blocks(unsigned* out, size_t n, const unsigned* sums) {
  const size_t first = size_t{blockIdx.x} * block_tile + numbers_per_thread * threadIdx.x;
  for (int k = 0; k < numbers_per_thread; ++k)
    if (first + k < n) out[first + k] += sums[blockIdx.x];
}

class BlocksScan {
 public:
  /// Scratch memory, one array per level. Level 0 holds the sums of the tiles, level 1 the sums of
  /// the tiles of level 0, and so on until one sum is left.
  explicit BlocksScan(size_t max_n) {
    size_t count = max_n;
    do {
      count = div_up(count, block_tile);
      sums_.emplace_back(std::max<size_t>(count, 1));
    } while (count > 1);
  }

  void run(const unsigned* in, unsigned* out, size_t n, cudaStream_t stream = nullptr) {
    if (n > 0) run_level(in, out, n, 0, stream);
  }

 private:
  // Calls itself for the sums of the tiles until one tile is left.
  void run_level(const unsigned* in, unsigned* out, size_t n, size_t level, cudaStream_t stream) {
    const size_t tiles = div_up(n, block_tile);
    unsigned* sums = sums_[level].get();
    scan_blocks<<<tiles, block_threads, 0, stream>>>(in, out, n, sums);
    HANDLE_ERROR(cudaGetLastError());
    if (tiles == 1) return;
    run_level(sums, sums, tiles, level + 1, stream);
    add_to_blocks<<<tiles, block_threads, 0, stream>>>(out, n, sums);
    HANDLE_ERROR(cudaGetLastError());
  }

  std::vector<DeviceMemory<unsigned>> sums_;
};

}  // namespace scan
