#pragma once
// Rung 3, `lookback`: one launch that reads each number once and writes it once.
//
// Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA technical report
// NVR-2016-002. A block keeps its tile in registers, publishes the tile's sum (device/tile_words.cuh), and
// walks back over the tiles before, adding their sums, until one says "this is the sum of all up to here".
//
//   ./run scan -n 1000000 --method lookback
//
// Gain over `blocks`: half the memory traffic and one launch: 734 instead of 1805 microseconds for 2^28
// numbers, 5.7 instead of 12.7 for a million (H200, README.md). What binds it now: waiting. A tile holds its
// registers until the slowest of all tiles before it has been read.

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/book.h"
#include "../../common/grid.h"
#include "../device/look_back.cuh"
#include "../device/tile_words.cuh"
#include "../device/warp.cuh"
#include "../device/warp_rows.cuh"

// To try other shapes of a tile, change these two and run
//   ./run scan -n 268435456 --benchmark
constexpr int lookback_threads = 512, lookback_rows = 8, lookback_warps = lookback_threads / warp_lanes;
constexpr int lookback_tile = lookback_warps * lookback_rows * row_items;

/// One block per tile, which each warp holds as 8 rows of 128 numbers in registers. `in` and `out` may be the
/// same array.
__global__ void __launch_bounds__(lookback_threads, 1)
    scan_lookback(const unsigned* in, unsigned* out, std::size_t n, TileWords tiles) {
  constexpr int warps = lookback_warps;
  // First the warps' sums, then for each warp the sum of everything before.
  __shared__ unsigned sum_before[warps];
  const int lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes;
  const unsigned tile = take_ticket(tiles);
  const std::size_t first = (std::size_t{tile} * warps + warp) * lookback_rows * row_items;

  WarpRows<lookback_rows> mine;
  mine.load(in, n, first, lane);
  const unsigned warp_total = warp_sum(mine.lane_sum());
  if (lane == 0) sum_before[warp] = warp_total;
  __syncthreads();

  // The tile's total goes out as early as possible: others wait for it. Only then the rows are scanned.
  unsigned of_warp = 0, total = 0;
  if (warp == 0) {
    of_warp = lane < warps ? sum_before[lane] : 0;
    total = warp_sum(of_warp);
    if (lane == 0) tiles.publish(tile, tile == 0 ? TileWords::prefix : TileWords::total, total);
  }
  mine.scan(lane);
  if (warp == 0) {
    const unsigned prefix = look_back(tiles, tile, lane);
    if (lane == 0 && tile > 0) tiles.publish(tile, TileWords::prefix, prefix + total);
    unsigned ignored;
    const unsigned before = prefix + warp_exclusive_scan(of_warp, ignored, lane);
    if (lane < warps) sum_before[lane] = before;
  }
  __syncthreads();
  mine.store(out, n, first, lane, sum_before[warp]);
}

class LookbackScan {
 public:
  /// Scratch memory: one word per tile.
  explicit LookbackScan(std::size_t most) : words_(div_up(most, lookback_tile)) {}

  void run(const unsigned* in, unsigned* out, std::size_t n) {
    if (n == 0) return;
    const std::size_t tiles = div_up(n, lookback_tile);
    scan_lookback<<<tiles, lookback_threads>>>(in, out, n, words_.next_launch(tiles));
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  TileWordsMemory words_;
};
