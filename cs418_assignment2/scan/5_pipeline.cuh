#pragma once
// Rung 5, `pipeline`: software pipelining with asynchronous bulk copies, by persistent blocks with the next tiles in
// flight.
//
// One block per multiprocessor handles tiles b, b + blocks, b + 2 blocks, ... (b is its index), one per round, and runs
// together with all others (cooperative launch). Bulk copies fill shared-memory buffers ahead of use. A tile's total is
// published a whole round before its prefix is needed; by then all other blocks have published theirs, so in the long
// run no block waits for another.
//
//   ./run scan -n 40000000 --method pipeline
//
// Gain over `lookback`: 553.1 instead of 733.7 microseconds for 2^28 numbers, 93 % of the rate at which the memory copies;
// 28.9 instead of 34.5 for ten million (H200, README.md). Below 4 million `exchange` is faster.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/grid.h"
#include "../device/tiles.cuh"
#include "../device/warp_rows.cuh"

#if !defined(EMULATED_DEVICE) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define HAVE_BULK_COPY 1
#endif

/// One warp's buffers of `count` 32-bit numbers each, a multiple of 4, used in turn. All functions are for the whole warp.
/// A bulk copy (compute capability 9.0) fills a buffer with one instruction, without registers, and no thread waits for
/// it: an mbarrier in shared memory counts the bytes that have arrived, and is tested when the warp needs the data. (CUDA
/// programming guide, "Asynchronous data copies using the tensor memory accelerator"; PTX manual, cp.async.bulk and
/// mbarrier.) Older GPUs and the emulated device copy at once, through registers: the same result, but no overlap.
template <int count, int stages>
struct TileRing {
  unsigned* memory;        // stages * count numbers of shared memory, aligned to 16 bytes
  std::uint64_t* arrived;  // stages mbarriers, there, too
  int lane;

  __device__ unsigned* buffer(int stage) const { return memory + stage * count; }

#ifdef HAVE_BULK_COPY
  static __device__ unsigned address(const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
  }

  /// Before the first use.
  __device__ void make_ready() const {
    if (lane == 0) {
      for (int stage = 0; stage < stages; ++stage)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(arrived + stage)) : "memory");
      // The copy engine must see the barriers before it signals them.
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
      asm volatile("fence.proxy.async;" ::: "memory");
    }
    __syncwarp();
  }

  /// Waits until the buffer is full. `round` counts how often it was filled before: 0, 1, 2, ...
  __device__ void wait(int stage, unsigned round) const {
    unsigned done;
    do {
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
          : "=r"(done)
          : "r"(address(arrived + stage)), "r"(round & 1)
          : "memory");
    } while (done == 0);
    __syncwarp();
  }
#else
  __device__ void make_ready() const {}
  __device__ void wait(int, unsigned) const { __syncwarp(); }
#endif

  /// Starts to fill a buffer with array[first ...], which is aligned to 16 bytes; what lies beyond the n numbers of the
  /// array becomes 0. The warp must be done with what the buffer held before.
  __device__ void start(int stage, const unsigned* array, std::size_t n, std::size_t first) const {
    unsigned* to = buffer(stage);
    const int exist = first + count <= n ? count : first < n ? static_cast<int>(n - first) : 0;
#ifdef HAVE_BULK_COPY
    const int in_bulk = exist / 4 * 4;  // a bulk copy moves a multiple of 16 bytes
#else
    const int in_bulk = 0;
#endif
    if (in_bulk < count) {
      for (int i = in_bulk + lane; i < count; i += warp_lanes) to[i] = i < exist ? array[first + i] : 0;
      __syncwarp();
    }
#ifdef HAVE_BULK_COPY
    if (lane != 0) return;
    const unsigned bytes = in_bulk * sizeof(unsigned), barrier = address(arrived + stage);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
    if (bytes > 0)
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
              address(to)),
          "l"(array + first), "r"(bytes), "r"(barrier)
          : "memory");
#endif
  }
};

// Three buffers per warp: one being summed, one being scanned, one being filled. More do not pay (README.md).
constexpr int pipeline_max_warps = 16, pipeline_stages = 3;

template <int rows>
__global__ void __launch_bounds__(pipeline_max_warps* warp_lanes)
    scan_pipeline(const unsigned* in, unsigned* out, std::size_t n, unsigned tile_count, TileWords tiles) {
  constexpr int max_warps = pipeline_max_warps, stages = pipeline_stages, warp_items = rows * row_items;
  const int warps = blockDim.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  // From a shuffle, so that the compiler sees that all lanes agree on it.
  const int warp = __shfl_sync(all_lanes, static_cast<int>(threadIdx.x / warp_lanes), 0);
  extern __shared__ uint4 ring_memory[];
  __shared__ std::uint64_t arrived[max_warps][stages];
  // By tile modulo 3: a fast warp may write for tile i+1 while a slow one still reads for tile i-1.
  __shared__ unsigned warp_totals[stages][max_warps], prefixes[stages];
  __shared__ ArrivalSum block_totals[stages];
  const TileRing<warp_items, stages> ring{
      reinterpret_cast<unsigned*>(ring_memory) + warp * stages * warp_items, arrived[warp], lane};
  ring.make_ready();
  const unsigned count = (tile_count - 1 - blockIdx.x) / gridDim.x + 1;  // of this block's tiles
  // Of the block's i-th tile the number, and where this warp's part of it begins. A number has 32 bits: after a division
  // of 64-bit numbers, a function call, the compiler no longer knows that all lanes agree, and guards every shuffle.
  const auto number = [&](unsigned i) { return blockIdx.x + i * gridDim.x; };
  const auto start_of = [&](unsigned i) { return (std::size_t{number(i)} * warps + warp) * warp_items; };

  // The whole first tile is asked for before any part of the next: the others wait for its total.
  const auto start = [&](unsigned i, int stage) {
    if (i < count) ring.start(stage, in, n, start_of(i));
  };
  start(0, 0);
  if (threadIdx.x < stages) block_totals[threadIdx.x] = {};
  __syncthreads();
  for (unsigned i = 1; i < stages; ++i) start(i, i);

  // Timeline of a block. `i`: its i-th tile; all warps meet at the barrier ||.
  //
  //   round   bulk copies   every warp      warp 0               ||   every warp
  //     0     1, 2          sums tile 0                          ||
  //     1     2             sums tile 1     polls prefix of 0    ||   takes 0 to registers, loads 3, stores 0
  //     2     3             sums tile 2     polls prefix of 1    ||   takes 1 to registers, loads 4, stores 1
  //     3     4             sums tile 3     polls prefix of 2    ||   takes 2 to registers, loads 5, stores 2
  //
  // (Bulk copies: the tiles still in flight while tile i is summed.)
  // The last warp to sum tile i publishes its total. From there to the question for the prefix of tile i, one
  // round later, all other blocks have the time to publish what belongs to it.
  unsigned prefix = 0;  // of the tile before; only warp 0 uses it
  int stage = 0, stage_before = stages - 1;
  unsigned round = 0;  // how often each buffer was filled before
  for (unsigned i = 0; i <= count; ++i) {
    if (i < count) {
      ring.wait(stage, round);
      const uint4* row = reinterpret_cast<const uint4*>(ring.buffer(stage)) + lane;
      unsigned sum = 0, total;
#pragma unroll
      for (int r = 0; r < rows; ++r) sum += sum_of(row[r * warp_lanes]);
      sum = warp_sum(sum);
      if (lane == 0) {
        warp_totals[stage][warp] = sum;
        if (block_totals[stage].arrive(sum, warps, total)) tiles.publish(number(i), total);
      }
      __syncwarp();
    }
    if (i > 0 && warp == 0) {  // the totals since this block's last tile: one per block, published long ago
      const unsigned tile = number(i - 1);
      prefix += tiles.sum(tile < gridDim.x ? 0 : tile - gridDim.x, tile, lane);
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
      ++round;
    }
  }
}

class PipelineScan {
  static auto kernel(int rows) { return rows == 8 ? scan_pipeline<8> : scan_pipeline<6>; }

 public:
  /// Scratch memory: one word per tile, which has at least 24 rows: 3 warps of 8 fit into 48 KiB, which every device has.
  explicit PipelineScan(std::size_t max_n) : words_(div_up(max_n, 24 * row_items)) {
    // The tiles to choose from: 16 to 8 warps, or fewer where shared memory is short: what a block can have, less what
    // the kernel needs beside the buffers.
    const int shared = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) - 1024;
    for (const int rows : {8, 6}) {
      const int max_warps = std::clamp(shared / shared_of_warp(rows), 1, pipeline_max_warps);
      for (int warps = max_warps; warps >= std::min(8, max_warps); --warps) shapes_.push_back({rows, warps});
      HANDLE_ERROR(cudaFuncSetAttribute(kernel(rows), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        max_warps * shared_of_warp(rows)));
    }
  }

  /// Takes as many warps, of 6 or 8 rows, as make the rounds come out even.
  void run(const unsigned* in, unsigned* out, std::size_t n, cudaStream_t stream = nullptr) {
    if (n == 0) return;
    // Fitted to times measured on an H200 over all shapes and sizes.
    const auto [rows, warps] = even_rounds(n, row_items, processors_, 2.5, 24 * row_items, shapes_);
    auto tiles = static_cast<unsigned>(div_up(n, std::size_t(rows) * warps * row_items));
    TileWords words = words_.next_launch(stream);
    void* arguments[] = {&in, &out, &n, &tiles, &words};
    HANDLE_ERROR(cudaLaunchCooperativeKernel(kernel(rows), std::min(tiles, processors_), warps * warp_lanes,
                                             arguments, warps * shared_of_warp(rows), stream));
  }

 private:
  static constexpr int shared_of_warp(int rows) {
    return pipeline_stages * rows * row_items * static_cast<int>(sizeof(unsigned));
  }

  unsigned processors_ = multiprocessors();
  std::vector<TileShape> shapes_;
  TileWordsMemory words_;
};
