#pragma once
// pipeline - software pipelining by persistent blocks, whose next tiles come by bulk copies.
//
// One block per multiprocessor handles tiles b, b + blocks, b + 2 blocks, ... (b is its index), one
// per round, and runs together with all others (cooperative launch). Bulk copies fill shared-memory
// buffers ahead of use. A tile's total is published a whole round before its prefix is needed; by
// then all other blocks have published theirs, so in the long run no block waits for another.
//
//   ./run scan -n 40000000 --method pipeline
//
// Gain over lookback on an H200: 10^6 numbers 0.00559 -> 0.00509, 2^28 numbers 0.717 -> 0.553 ms
// This is nearly the rate at which the memory copies. `exchange` is faster for the arrays that it
// can hold.
//
// Needed: ../device/warp_rows.cuh (how a warp loads, scans and stores its rows), tile_ring.cuh
// there (copies in flight), tiles.cuh there (how blocks publish the sums of their tiles).

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/grid.h"
#include "../device/tile_ring.cuh"
#include "../device/tiles.cuh"
#include "../device/warp_rows.cuh"

namespace scan {

using namespace cs418;  // of ../device

// A block's tile is as large as the copies need, not larger: small tiles make short rounds, and a
// last round with few tiles costs less. Three buffers per warp: one being summed, one being
// scanned, one being filled.
constexpr int pipeline_warps = 8;
constexpr int pipeline_rows = 8;
constexpr int pipeline_buffers = 3;
constexpr int pipeline_items = pipeline_rows * row_items;  // of a warp, per tile
using PipelineRing = TileRing<pipeline_items, pipeline_buffers>;

static __global__ void __launch_bounds__(pipeline_warps* warp_lanes)
    scan_pipeline(const unsigned* in, unsigned* out, size_t n, unsigned tile_count,
                  TileSums tile_sums) {
  const int warps = blockDim.x / warp_lanes;
  const int lane = threadIdx.x % warp_lanes;
  // It comes from a shuffle, so the compiler sees that all lanes agree on it.
  const int warp = __shfl_sync(all_lanes, static_cast<int>(threadIdx.x / warp_lanes), 0);
  extern __shared__ PipelineRing rings[];  // one per warp
  // By round modulo 4: a fast warp may write for the next round while a slow one still reads the
  // values for this one and for the one before.
  __shared__ unsigned warp_totals[4][pipeline_warps];
  __shared__ unsigned prefixes[4];
  __shared__ ArrivalSum block_total;
  PipelineRing& ring = rings[warp];
  ring.make_ready(lane);
  const unsigned tiles = (tile_count - 1 - blockIdx.x) / gridDim.x + 1;  // of this block
  // The number of the block's i-th tile, and where this warp's part of that tile begins. Numbers
  // have 32 bits, because a division of 64-bit numbers is a function call. After it the compiler no
  // longer knows that all lanes agree, and guards every shuffle.
  const auto number = [&](unsigned i) { return blockIdx.x + i * gridDim.x; };
  const auto start_of = [&](unsigned i) {
    return (size_t{number(i)} * warps + warp) * pipeline_items;
  };

  // The whole first tile is asked for before any part of the next: the others wait for its total.
  const auto ask_for = [&](unsigned i) {
    if (i < tiles) ring.start(i, in, n, start_of(i), lane);
  };
  ask_for(0);
  if (threadIdx.x == 0) block_total = {};
  __syncthreads();
  for (unsigned i = 1; i < pipeline_buffers; ++i) ask_for(i);

  // Timeline of a block. `i`: its i-th tile; all warps meet at the barrier ||.
  //
  //   round  bulk copies  every warp   warp 0              ||  every warp
  //     0    1, 2         sums tile 0                      ||
  //     1    2            sums tile 1  polls prefix of 0   ||  0 to registers, asks for 3, stores 0
  //     2    3            sums tile 2  polls prefix of 1   ||  1 to registers, asks for 4, stores 1
  //     3    4            sums tile 3  polls prefix of 2   ||  2 to registers, asks for 5, stores 2
  //
  // (Bulk copies: the tiles still in flight while tile i is summed.)
  // The last warp to sum tile i publishes its total. The prefix of tile i is asked for one round
  // later; by then all other blocks have published its parts.
  unsigned prefix = 0;  // of this block's tile before; only warp 0 uses it
  for (unsigned i = 0; i <= tiles; ++i) {
    if (i < tiles) {
      ring.wait(i);
      const uint4* row = reinterpret_cast<const uint4*>(ring.numbers(i)) + lane;
      unsigned sum = 0;
#pragma unroll
      for (int r = 0; r < pipeline_rows; ++r) sum += sum_of(row[r * warp_lanes]);
      sum = warp_sum(sum);
      if (lane == 0) {
        warp_totals[i % 4][warp] = sum;
        unsigned total;
        if (block_total.arrive(sum, warps, total)) tile_sums.publish(number(i), total);
      }
      __syncwarp();
    }
    // The totals since this block's last tile: one per block, published long ago.
    if (i > 0 && warp == 0) {
      const unsigned tile = number(i - 1);
      const unsigned tile_before = tile < gridDim.x ? 0 : tile - gridDim.x;
      prefix += tile_sums.total(tile_before, tile, lane);
      if (lane == 0) prefixes[i % 4] = prefix;
    }
    __syncthreads();
    if (i > 0) {
      WarpRows<pipeline_rows> rows_before;
      rows_before.load(ring.numbers(i - 1), pipeline_items, 0, lane);
      __syncwarp();  // every lane has its numbers, so the buffer is free for the tile after next
      ask_for(i - 1 + pipeline_buffers);
      rows_before.scan(lane);
      const unsigned of_warps_before = warp_sum(lane < warp ? warp_totals[(i - 1) % 4][lane] : 0);
      rows_before.store(out, n, start_of(i - 1), lane, prefixes[i % 4] + of_warps_before);
    }
  }
}

class PipelineScan {
 public:
  /// Scratch memory: one word per tile.
  explicit PipelineScan(size_t max_n) : tile_sums_(div_up(max_n, tile_items_)) {
    HANDLE_ERROR(
        cudaFuncSetAttribute(scan_pipeline, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_));
  }

  void run(const unsigned* in, unsigned* out, size_t n, cudaStream_t stream = nullptr) {
    if (n == 0) return;
    auto tiles = static_cast<unsigned>(div_up(n, tile_items_));
    TileSums tile_sums = tile_sums_.next_launch(stream);
    void* arguments[] = {&in, &out, &n, &tiles, &tile_sums};
    HANDLE_ERROR(cudaLaunchCooperativeKernel(scan_pipeline, std::min(tiles, processors_),
                                             warps_ * warp_lanes, arguments, shared_, stream));
  }

 private:
  /// Fewer if shared memory is short: the maximum of a block, less the kernel's own use besides
  /// the rings.
  static int max_warps() {
    const int for_rings = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) - 1024;
    return std::min<int>(pipeline_warps, for_rings / sizeof(PipelineRing));
  }

  int warps_ = max_warps();
  int shared_ = warps_ * sizeof(PipelineRing);
  size_t tile_items_ = warps_ * pipeline_items;
  unsigned processors_ = multiprocessors();
  TileSumsMemory tile_sums_;
};

}  // namespace scan
