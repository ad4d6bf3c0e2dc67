#pragma once
// The kernels of the sample `scan`, from plain to fast, and class Scanner, which launches them.
// All compute out[i] = in[0] + ... + in[i-1] for 32-bit numbers that wrap; `in` and `out` may be the same
// array. find_repeats, the tests and the benchmark use them too.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../common/book.h"
#include "../common/device_memory.h"
#include "block_scan.cuh"
#include "lookback.cuh"
#include "rounds.h"
#include "tile_ring.cuh"

#ifdef __CUDACC__
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <cub/device/device_scan.cuh>
#endif

// ---- sweep: a tree of sums, up and down, one launch a level
//
// Blelloch, "Prefix sums and their applications",
// 1990; GPU Gems 3, chapter 39. `data` has a power of two elements.

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

// ---- what the single-pass kernels share
//
// A warp works on rows of 128
// numbers, lane k on numbers 4k .. 4k+3 of each row: every load and store of the warp is 512 contiguous
// bytes.

constexpr int row_items = 4 * warp_lanes;

__device__ inline unsigned sum_of(uint4 v) { return v.x + v.y + v.z + v.w; }

// Reads the 4 numbers that begin at in[0], of which `available` exist; the others count as 0. One by one and
// without a branch around them, so that many such reads are on their way at once.
__device__ inline uint4 load_4(const unsigned* in, std::size_t available) {
  return {available > 0 ? in[0] : 0, available > 1 ? in[1] : 0, available > 2 ? in[2] : 0,
          available > 3 ? in[3] : 0};
}
__device__ inline void store_4(unsigned* out, std::size_t available, uint4 v) {
  if (available >= 4) {
    *reinterpret_cast<uint4*>(out) = v;
    return;
  }
  if (available > 0) out[0] = v.x;
  if (available > 1) out[1] = v.y;
  if (available > 2) out[2] = v.z;
}

// How many of the elements from `first` on lie below n.
__device__ inline std::size_t left_of(std::size_t n, std::size_t first) { return first < n ? n - first : 0; }

// A lane's part of its warp's rows, and what lies before it in the warp.
template <int rows>
struct WarpRows {
  uint4 values[rows];
  unsigned before[rows];  // the sum of everything in the warp's rows before values[r]

  // The warp's rows begin at array[first]; the array has n numbers, what is beyond counts as 0.
  __device__ void load(const unsigned* array, std::size_t n, std::size_t first, int lane) {
    const unsigned* in = array + first + 4 * lane;
    if (whole(n, first)) {  // no tests between the loads, so that all are on their way at once
#pragma unroll
      for (int r = 0; r < rows; r++) values[r] = *reinterpret_cast<const uint4*>(in + r * row_items);
    } else {
      const std::size_t available = left_of(n, first + 4 * lane);
#pragma unroll
      for (int r = 0; r < rows; r++)
        values[r] = load_4(in + r * row_items, left_of(available, r * row_items));
    }
  }
  __device__ unsigned lane_sum() const {
    unsigned sum = 0;
#pragma unroll
    for (int r = 0; r < rows; r++) sum += sum_of(values[r]);
    return sum;
  }
  // Fills `before`. This is warp_inclusive_scan for all rows in step: a shuffle takes some 25 clocks, in
  // which the other rows go on.
  __device__ void scan(int lane) {
#pragma unroll
    for (int r = 0; r < rows; r++) before[r] = sum_of(values[r]);
#pragma unroll
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
#pragma unroll
      for (int r = 0; r < rows; r++) {
        const unsigned left = __shfl_up_sync(all_lanes, before[r], distance);
        if (lane >= distance) before[r] += left;
      }
    }
    unsigned rows_before = 0;
#pragma unroll
    for (int r = 0; r < rows; r++) {
      const unsigned row_total = __shfl_sync(all_lanes, before[r], warp_lanes - 1);
      before[r] += rows_before - sum_of(values[r]);
      rows_before += row_total;
    }
  }
  // Writes the exclusive sums, `warp_start` being the sum of everything before the warp's rows.
  __device__ void store(unsigned* array, std::size_t n, std::size_t first, int lane,
                        unsigned warp_start) const {
    unsigned* out = array + first + 4 * lane;
    const bool all = whole(n, first);
    const std::size_t available = all ? 0 : left_of(n, first + 4 * lane);
#pragma unroll
    for (int r = 0; r < rows; r++) {
      uint4 sums;
      sums.x = warp_start + before[r];
      sums.y = sums.x + values[r].x;
      sums.z = sums.y + values[r].y;
      sums.w = sums.z + values[r].z;
      if (all)
        *reinterpret_cast<uint4*>(out + r * row_items) = sums;
      else
        store_4(out + r * row_items, left_of(available, r * row_items), sums);
    }
  }

 private:
  // Asked once for the warp, from numbers that all lanes share. If each lane asked for itself, the compiler
  // would have to expect that lanes part here.
  static __device__ bool whole(std::size_t n, std::size_t first) { return first + rows * row_items <= n; }
};

// ---- lookback and exchange: one launch, each element read once and written once
//
// One tile a block, held in registers. The two differ in how a block
// learns what lies before its tile (lookback.cuh).

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
// Block b handles tiles b, b + blocks, b + 2 blocks, ... and must run
// together with all others (cooperative launch). Three buffers a warp: while tile i is summed, tile i-1 is
// scanned and stored, and i+1 and i+2 are on their way. A tile's total is published one tile before its
// prefix is wanted, so in the long run nobody waits for anybody.

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

  for (unsigned i = 0; i < stages; i++)
    if (i < mine) ring.start(i, in + start_of(i), left_of(n, start_of(i)));
  if (threadIdx.x < stages) block_totals[threadIdx.x].clear();
  __syncthreads();

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
      const unsigned next = i - 1 + stages;
      if (next < mine) ring.start(stage_before, in + start_of(next), left_of(n, start_of(next)));
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

// ---- host: class Scanner

// Owns the scratch memory of one method for arrays of up to `most` elements, so that run() is the work alone.
// `in` and `out` are aligned to 16 bytes, as cudaMalloc returns them. Work goes to the default stream.
class Scanner {
 public:
  // `method`: sweep, blocks, lookback, exchange, pipeline, best; in the gpu build also thrust and cub.
  Scanner(const std::string& method, std::size_t most)
      : method_(method),
        processors_(multiprocessors()),
        shared_(most_shared_memory()),
        words_(words_wanted(method, most)) {
    if (method == "sweep") {
      std::size_t padded = 1;
      while (padded < most) padded *= 2;
      scratch_ = DeviceMemory<unsigned>(padded);
    } else if (method == "blocks") {
      for (std::size_t count = divide(most, block_tile);; count = divide(count, block_tile)) {
        sums_.emplace_back(std::max<std::size_t>(count, 1));
        if (count <= 1) break;
      }
    } else if (method == "pipeline" || method == "best") {
      for (const auto& [rows, kernel] : pipeline_kernels)
        HANDLE_ERROR(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          most_pipeline_warps(rows) * shared_of_warp(rows)));
    }
#ifdef __CUDACC__
    if (method == "cub") {
      std::size_t bytes = 0;
      HANDLE_ERROR(cub::DeviceScan::ExclusiveSum(nullptr, bytes, static_cast<const unsigned*>(nullptr),
                                                 static_cast<unsigned*>(nullptr), most));
      scratch_ = DeviceMemory<unsigned>(divide(bytes, sizeof(unsigned)));
      scratch_bytes_ = bytes;
    }
#endif
  }

  // The largest array that `exchange` can take: four tiles for each multiprocessor, in registers.
  static std::size_t exchange_limit() { return std::size_t{32768} * multiprocessors(); }

  void run(const int* in, int* out, std::size_t n) {
    if (n == 0) return;
    // Unsigned, because the sums may wrap and signed overflow is undefined.
    run(reinterpret_cast<const unsigned*>(in), reinterpret_cast<unsigned*>(out), n);
  }

  void run(const unsigned* in, unsigned* out, std::size_t n) {
    if (method_ == "sweep") sweep(in, out, n);
    if (method_ == "blocks") blocks(in, out, n, 0);
    if (method_ == "lookback") lookback(in, out, n);
    if (method_ == "exchange") exchange(in, out, n);
    if (method_ == "pipeline") pipeline(in, out, n);
    if (method_ == "best") n <= exchange_best_below() ? exchange(in, out, n) : pipeline(in, out, n);
#ifdef __CUDACC__
    if (method_ == "thrust") thrust::exclusive_scan(thrust::device, in, in + n, out);
    if (method_ == "cub")
      HANDLE_ERROR(cub::DeviceScan::ExclusiveSum(scratch_.get(), scratch_bytes_, in, out, n));
#endif
  }

 private:
  std::size_t words_wanted(const std::string& method, std::size_t most) const {
    if (method == "lookback") return divide(most, lookback_tile);
    if (method == "exchange" || method == "pipeline" || method == "best")
      return std::max<std::size_t>(4 * processors_, divide(most, least_pipeline_warps(6) * 6 * row_items));
    return 0;
  }

  std::size_t exchange_best_below() const { return std::size_t{32768} * processors_; }

  void sweep(const unsigned* in, unsigned* out, std::size_t n) {
    constexpr int threads = 256;
    std::size_t padded = 1;
    while (padded < n) padded *= 2;
    unsigned* data = scratch_.get();
    HANDLE_ERROR(cudaMemcpyAsync(data, in, n * sizeof *data, cudaMemcpyDeviceToDevice));
    if (padded > n) HANDLE_ERROR(cudaMemsetAsync(data + n, 0, (padded - n) * sizeof *data));
    for (std::size_t half = 1; half < padded; half *= 2) {
      const std::size_t pairs = padded / (2 * half);
      sweep_up<<<divide(pairs, threads), threads>>>(data, pairs, half);
      HANDLE_ERROR(cudaGetLastError());
    }
    HANDLE_ERROR(cudaMemsetAsync(data + padded - 1, 0, sizeof *data));
    for (std::size_t half = padded / 2; half > 0; half /= 2) {
      const std::size_t pairs = padded / (2 * half);
      sweep_down<<<divide(pairs, threads), threads>>>(data, pairs, half);
      HANDLE_ERROR(cudaGetLastError());
    }
    HANDLE_ERROR(cudaMemcpyAsync(out, data, n * sizeof *data, cudaMemcpyDeviceToDevice));
  }

  // Calls itself for the sums of the tiles, a thousandth of the elements, until one tile is left.
  void blocks(const unsigned* in, unsigned* out, std::size_t n, std::size_t level) {
    const std::size_t tiles = divide(n, block_tile);
    unsigned* sums = sums_[level].get();
    scan_blocks<<<tiles, block_threads>>>(in, out, n, sums);
    HANDLE_ERROR(cudaGetLastError());
    if (tiles == 1) return;
    blocks(sums, sums, tiles, level + 1);
    add_to_blocks<<<tiles, block_threads>>>(out, n, sums);
    HANDLE_ERROR(cudaGetLastError());
  }

  static constexpr int lookback_threads = 512, lookback_rows = 8,
                       lookback_tile = lookback_threads * 4 * lookback_rows;
  void lookback(const unsigned* in, unsigned* out, std::size_t n) {
    const std::size_t tiles = divide(n, lookback_tile);
    scan_tiles<lookback_threads, lookback_rows, Across::look_back>
        <<<tiles, lookback_threads>>>(in, out, n, words_.next_launch(tiles));
    HANDLE_ERROR(cudaGetLastError());
  }

  // One tile for each multiprocessor as long as it fits, the smaller the better: the fewer blocks, the fewer
  // to wait for. 192 threads with 10 rows are the most that stays quick. Then up to four tiles of 128
  // threads.
  void exchange(const unsigned* in, unsigned* out, std::size_t n) {
    const std::size_t share = divide(n, processors_);
    if (share <= 4 * 256 * 2) return exchange<256, 2>(in, out, n);
    if (share <= 4 * 256 * 4) return exchange<256, 4>(in, out, n);
    if (share <= 4 * 192 * 10) return exchange<192, 10>(in, out, n);
    exchange<128, 16>(in, out, n);
  }
  template <int threads, int rows>
  void exchange(const unsigned* in, unsigned* out, std::size_t n) {
    const unsigned tiles = static_cast<unsigned>(divide(n, threads * 4 * rows));
    TileWords words = words_.next_launch();
    void* arguments[] = {&in, &out, &n, &words};
    HANDLE_ERROR(cudaLaunchCooperativeKernel(scan_tiles<threads, rows, Across::exchange>, tiles, threads,
                                             arguments, 0, 0));
  }

  using PipelineKernel = void (*)(const unsigned*, unsigned*, std::size_t, unsigned, TileWords);
  static constexpr std::pair<int, PipelineKernel> pipeline_kernels[] = {{8, scan_pipeline<8>},
                                                                        {6, scan_pipeline<6>}};
  static constexpr int row_bytes = row_items * sizeof(unsigned);

  // Bytes that a block can have, less what the kernel needs beside the buffers.
  static int most_shared_memory() {
    int device, shared;
    HANDLE_ERROR(cudaGetDevice(&device));
    HANDLE_ERROR(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    return shared - 1024;
  }
  static constexpr int shared_of_warp(int rows) { return pipeline_stages * rows * row_bytes; }
  int most_pipeline_warps(int rows) const {
    return std::clamp(shared_ / shared_of_warp(rows), 1, pipeline_most_warps);
  }
  int least_pipeline_warps(int rows) const { return std::min(8, most_pipeline_warps(rows)); }

  // Takes as many warps, of 6 or 8 rows, as make the rounds come out even.
  void pipeline(const unsigned* in, unsigned* out, std::size_t n) {
    constexpr RoundCosts costs{.ends = 2.5, .per_round = 24 * row_items};
    double best = std::numeric_limits<double>::max();
    PipelineKernel kernel = nullptr;
    int rows = 0, warps = 0;
    for (const auto& [some_rows, candidate] : pipeline_kernels) {
      for (int some = most_pipeline_warps(some_rows); some >= least_pipeline_warps(some_rows); some--) {
        const double time = time_of_rounds(n, std::size_t(some_rows) * some * row_items, processors_, costs);
        if (time >= best) continue;
        best = time;
        kernel = candidate;
        rows = some_rows;
        warps = some;
      }
    }
    unsigned tiles = static_cast<unsigned>(divide(n, std::size_t(rows) * warps * row_items));
    const unsigned blocks = std::min<unsigned>(tiles, processors_);
    TileWords words = words_.next_launch();
    void* arguments[] = {&in, &out, &n, &tiles, &words};
    HANDLE_ERROR(cudaLaunchCooperativeKernel(kernel, blocks, warps * warp_lanes, arguments,
                                             warps * shared_of_warp(rows), 0));
  }

  std::string method_;
  int processors_, shared_;
  TileWordsMemory words_;
  DeviceMemory<unsigned> scratch_;
  [[maybe_unused]] std::size_t scratch_bytes_ = 0;
  std::vector<DeviceMemory<unsigned>> sums_;
};
