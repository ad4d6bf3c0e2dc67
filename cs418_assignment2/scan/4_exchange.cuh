#pragma once
// exchange - one launch, everything in registers, one exchange of aggregates; small arrays only.
//
// It is for arrays that fit into the registers of all multiprocessors. Every block keeps its tile,
// publishes the tile's sum, and adds up the sums of all tiles before at once. That takes one round
// trip to the L2 cache; look-back goes from tile to tile. All blocks must run at the same time,
// which a cooperative launch guarantees. It uses as few blocks as possible: a launch of fewer
// blocks costs less, and each block has fewer sums to add up.
//
//   ./run scan -n 1000000 --method exchange
//
// Gain over lookback on an H200: 10^6 numbers 0.00559 -> 0.00404 ms
// Its bottleneck: the size of the registers.
//
// Needed: ../device/warp_rows.cuh (how a warp loads, scans and stores its rows),
// ../device/tiles.cuh (how blocks publish the sums of their tiles).

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/grid.h"
#include "../../common/method_table.h"
#include "../device/tiles.cuh"
#include "../device/warp_rows.cuh"

namespace scan {

using namespace cs418;  // of ../device

/// Threads per multiprocessor. Each may use 128 registers.
constexpr int exchange_threads = 512;

/// One block per tile, `threads` threads with `rows` rows of 128 numbers per warp. `in` and `out`
/// may be the same array. Cooperative launch.
template <int threads, int rows>
__global__ void __launch_bounds__(threads, exchange_threads / threads)
    scan_exchange(const unsigned* in, unsigned* out, size_t n, TileSums tile_sums) {
  constexpr int warps = threads / warp_lanes;
  __shared__ unsigned prefix;
  __shared__ unsigned warp_sums[warps];
  const int lane = threadIdx.x % warp_lanes;
  const int warp = threadIdx.x / warp_lanes;
  const unsigned tile = blockIdx.x;
  const size_t first = (size_t{tile} * warps + warp) * rows * row_items;

  WarpRows<rows> mine;
  mine.load(in, n, first, lane);
  const unsigned sum_of_warp = warp_sum(mine.lane_sum());
  if (lane == 0) warp_sums[warp] = sum_of_warp;
  __syncthreads();

  // The tile's total goes out before the rows are scanned: others wait for it.
  if (warp == 0) {
    const unsigned total = warp_sum(lane < warps ? warp_sums[lane] : 0);
    if (lane == 0) tile_sums.publish(tile, total);
  }
  mine.scan(lane);
  if (warp == 0) {
    const unsigned sum = tile_sums.total(0, tile, lane);
    if (lane == 0) prefix = sum;
  }
  __syncthreads();
  const unsigned before_warp = prefix + warp_sum(lane < warp ? warp_sums[lane] : 0);
  mine.store(out, n, first, lane, before_warp);
}

class ExchangeScan {
 public:
  /// Scratch memory: one word per tile, whatever n is.
  explicit ExchangeScan(size_t /*max_n*/)
      : tile_sums_(tiles_per_multiprocessor * multiprocessors()) {}

  static Refusal refusal(size_t n) {
    const size_t max_n = shapes().back().max_n;
    if (n <= max_n) return {};
    return {"keeps the whole array in registers: at most " + std::to_string(max_n) +
            " numbers on this device"};
  }

  void run(const unsigned* in, unsigned* out, size_t n, cudaStream_t stream = nullptr) {
    if (n == 0) return;
    const Shape& shape =
        *std::ranges::find_if(shapes_, [n](const Shape& s) { return n <= s.max_n; });
    TileSums tile_sums = tile_sums_.next_launch(stream);
    void* arguments[] = {&in, &out, &n, &tile_sums};
    const auto tiles = static_cast<unsigned>(div_up(n, shape.tile));
    HANDLE_ERROR(
        cudaLaunchCooperativeKernel(shape.kernel, tiles, shape.threads, arguments, 0, stream));
  }

 private:
  static constexpr size_t tiles_per_multiprocessor = 4;  // at most

  /// An instance of the kernel's template, its tile, and the largest array that it takes.
  struct Shape {
    void (*kernel)(const unsigned*, unsigned*, size_t, TileSums);
    unsigned threads;
    size_t tile;
    size_t max_n;
  };
  template <int threads, int rows>
  static Shape shape(int blocks_per_multiprocessor) {
    const auto kernel = scan_exchange<threads, rows>;
    constexpr size_t tile = size_t{threads / warp_lanes} * rows * row_items;
    int resident = 0;  // a device whose multiprocessors hold fewer blocks takes less
    HANDLE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0));
    const int blocks = std::min(resident, blocks_per_multiprocessor) * multiprocessors();
    return {kernel, threads, tile, tile * blocks};
  }
  /// From small to large; the first that holds the array is used. With one tile per multiprocessor
  /// few blocks wait for one another. Large tiles are slow, so large arrays get several smaller
  /// tiles per multiprocessor. Fitted to an H200.
  static std::vector<Shape> shapes() {
    return {shape<256, 2>(1), shape<256, 4>(1), shape<192, 10>(1), shape<128, 15>(2),
            shape<128, 16>(tiles_per_multiprocessor)};
  }

  std::vector<Shape> shapes_ = shapes();
  TileSumsMemory tile_sums_;
};

}  // namespace scan
