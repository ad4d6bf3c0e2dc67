#pragma once
// The kernels of the sample `scan`, from plain to fast; scan_methods.cuh launches them.
// All compute out[i] = in[0] + ... + in[i-1] for 32-bit numbers that wrap. Unsigned, because signed overflow
// is undefined. `in` and `out` may be the same array.

#include <cuda_runtime.h>

#include <cstddef>

#include "block_scan.cuh"
#include "lookback.cuh"
#include "tile_ring.cuh"
#include "warp_rows.cuh"

// ---- sweep: a tree of sums, up and down, one launch a level
//
// Blelloch, "Prefix sums and their applications", 1990; GPU Gems 3, chapter 39. `data` has a power of two
// elements.

// Adds the last element of each left half to the last of the right: `half` elements each. One thread a pair.
__global__ void sweep_up(unsigned* data, std::size_t pairs, std::size_t half) {
  const std::size_t pair = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (pair >= pairs) return;
  unsigned* left_end = data + (2 * pair + 1) * half - 1;
  left_end[half] += *left_end;
}

// Hands the sum before the pair to the left half, and that plus the left half's sum to the right half.
__global__ void sweep_down(unsigned* data, std::size_t pairs, std::size_t half) {
  const std::size_t pair = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (pair >= pairs) return;
  unsigned* left_end = data + (2 * pair + 1) * half - 1;
  const unsigned left_sum = *left_end;
  *left_end = left_end[half];
  left_end[half] += left_sum;
}

// ---- blocks: every block scans its tile, then the sums of the tiles are scanned and added

constexpr int block_threads = 256, block_tile = 4 * block_threads;

// Scans each tile for itself and writes the tile's sum to sums[tile].
__global__ void scan_blocks(const unsigned* in, unsigned* out, std::size_t n, unsigned* sums) {
  __shared__ BlockScanScratch<block_threads> scratch;
  const std::size_t first = std::size_t{blockIdx.x} * block_tile + 4 * threadIdx.x;
  unsigned values[4], sum = 0, total;
  for (int k = 0; k < 4; k++) {
    values[k] = first + k < n ? in[first + k] : 0;
    sum += values[k];
  }
  unsigned before = block_exclusive_scan<block_threads>(sum, scratch, total);
  for (int k = 0; k < 4; k++) {
    if (first + k < n) out[first + k] = before;
    before += values[k];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// Adds sums[tile], by now the sum of all tiles before, to each element of the tile.
__global__ void add_to_blocks(unsigned* out, std::size_t n, const unsigned* sums) {
  const std::size_t first = std::size_t{blockIdx.x} * block_tile + 4 * threadIdx.x;
  for (int k = 0; k < 4; k++)
    if (first + k < n) out[first + k] += sums[blockIdx.x];
}

// ---- lookback and exchange: one launch, each element read once and written once
//
// One tile a block, held in registers. The two differ in how a block learns what lies before its tile
// (lookback.cuh).

enum class Across { look_back, exchange };

template <int threads, int rows, Across across>
__global__ void __launch_bounds__(threads, 512 / threads)
    scan_tiles(const unsigned* in, unsigned* out, std::size_t n, TileWords tiles) {
  constexpr int warps = threads / warp_lanes;
  __shared__ unsigned
      sum_before[warps];  // first the warps' sums, then for each warp the sum of everything before
  const int lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes;
  const unsigned tile = across == Across::look_back ? take_ticket(tiles) : blockIdx.x;
  const std::size_t first = (std::size_t{tile} * warps + warp) * rows * row_items;

  WarpRows<rows> mine;
  mine.load(in, n, first, lane);
  const unsigned warp_total = warp_sum(mine.lane_sum());
  if (lane == 0) sum_before[warp] = warp_total;
  __syncthreads();

  // The tile's total goes out as early as possible: others wait for it. Only then the rows are scanned.
  unsigned of_warp = 0, total = 0;
  if (warp == 0) {
    of_warp = lane < warps ? sum_before[lane] : 0;
    total = warp_sum(of_warp);
    const bool is_prefix = across == Across::look_back && tile == 0;
    if (lane == 0) tiles.publish(tile, is_prefix ? TileWords::prefix : TileWords::total, total);
  }
  mine.scan(lane);
  if (warp == 0) {
    unsigned prefix;
    if constexpr (across == Across::exchange) {
      prefix = sum_of_totals(tiles, 0, tile, lane);
    } else {
      prefix = look_back(tiles, tile, lane);
      if (lane == 0 && tile > 0) tiles.publish(tile, TileWords::prefix, prefix + total);
    }
    unsigned ignored;
    const unsigned before = prefix + warp_exclusive_scan(of_warp, ignored, lane);
    if (lane < warps) sum_before[lane] = before;
  }
  __syncthreads();
  mine.store(out, n, first, lane, sum_before[warp]);
}

// ---- pipeline: a few blocks that stay, with the next tiles already under way
//
// Block b handles tiles b, b + blocks, b + 2 blocks, ... and must run together with all others (cooperative
// launch). Three buffers a warp: while tile i is summed, tile i-1 is scanned and stored, and i+1 and i+2 are
// on their way. A tile's total is published one tile before its prefix is wanted, so in the long run nobody
// waits for anybody. The size of a tile, warps times rows of 128 numbers, is the host's choice (rounds.h).

constexpr int pipeline_most_warps = 16, pipeline_stages = 3;

template <int rows>
__global__ void __launch_bounds__(pipeline_most_warps* warp_lanes)
    scan_pipeline(const unsigned* in, unsigned* out, std::size_t n, unsigned tile_count, TileWords tiles) {
  constexpr int most_warps = pipeline_most_warps, stages = pipeline_stages;
  constexpr int warp_items = rows * row_items;
  const int warps = blockDim.x / warp_lanes;
  extern __shared__ uint4 ring_memory[];
  __shared__ std::uint64_t arrived[most_warps][stages];
  // By tile modulo 3: a fast warp may write for tile i+1 while a slow one still reads for tile i-1.
  __shared__ unsigned warp_totals[stages][most_warps], prefixes[stages];
  __shared__ ArrivalSum block_totals[stages];
  const int lane = threadIdx.x % warp_lanes;
  // From a shuffle, so that the compiler sees that all lanes agree on it.
  const int warp = __shfl_sync(all_lanes, static_cast<int>(threadIdx.x / warp_lanes), 0);
  TileRing<warp_items, stages> ring(reinterpret_cast<unsigned*>(ring_memory) + warp * stages * warp_items,
                                    arrived[warp], lane);
  // Tile numbers have 32 bits: after a division of 64-bit numbers, a function call, the compiler no longer
  // knows that all lanes agree, and guards every shuffle of the loop.
  const unsigned block = blockIdx.x, blocks = gridDim.x;
  const unsigned mine = block < tile_count ? (tile_count - 1 - block) / blocks + 1 : 0;
  // Where this warp's part of the block's i-th tile begins.
  const auto start_of = [&](unsigned i) {
    return (std::size_t{block + i * blocks} * warps + warp) * warp_items;
  };

  // The whole first tile is asked for before any part of the next: the others wait for its total.
  const auto start = [&](unsigned i, int stage) {
    if (i < mine) ring.start(stage, in + start_of(i), left_of(n, start_of(i)));
  };
  start(0, 0);
  if (threadIdx.x < stages) block_totals[threadIdx.x].clear();
  __syncthreads();
  for (unsigned i = 1; i < stages; i++) start(i, i);

  unsigned prefix = 0;  // of the tile before; only warp 0 uses it
  int stage = 0, stage_before = stages - 1;
  unsigned round = 0;
  for (unsigned i = 0; i <= mine; i++) {
    if (i < mine) {
      ring.wait(stage, round);
      const uint4* row = reinterpret_cast<const uint4*>(ring.buffer(stage)) + lane;
      unsigned sum = 0, total;
#pragma unroll
      for (int r = 0; r < rows; r++) sum += sum_of(row[r * warp_lanes]);
      sum = warp_sum(sum);
      if (lane == 0) {
        warp_totals[stage][warp] = sum;
        if (block_totals[stage].arrive(sum, warps, total))
          tiles.publish(block + i * blocks, TileWords::total, total);
      }
      __syncwarp();
    }
    if (i > 0 && warp == 0) {  // the totals since this block's last tile: one a block, published long ago
      const unsigned tile = block + (i - 1) * blocks;
      prefix += sum_of_totals(tiles, tile < blocks ? 0 : tile - blocks, tile, lane);
      if (lane == 0) prefixes[stage_before] = prefix;
    }
    __syncthreads();
    if (i > 0) {
      WarpRows<rows> rows_before;
      rows_before.load(ring.buffer(stage_before), warp_items, 0, lane);
      __syncwarp();  // every lane has its numbers, so the buffer is free for the tile after next
      start(i - 1 + stages, stage_before);
      rows_before.scan(lane);
      const unsigned of_warps = warp_sum(lane < warp ? warp_totals[stage_before][lane] : 0);
      rows_before.store(out, n, start_of(i - 1), lane, prefixes[stage_before] + of_warps);
    }
    stage_before = stage;
    if (++stage == stages) {
      stage = 0;
      round++;
    }
  }
}
