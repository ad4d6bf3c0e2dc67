#pragma once
// Rung 3, `lookback`: single-pass scan with decoupled look-back. Each number is read and written once.
//
// Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA technical report
// NVR-2016-002. A block keeps its tile in registers, publishes the tile's sum (its aggregate) in one word of
// global memory, and walks back over the words of the tiles before, adding their sums, until one holds the
// sum of all numbers up to there (an inclusive prefix).
//
//   ./run scan -n 1000000 --method lookback
//
// Gain over blocks on an H200: 10^6 numbers 0.0126 -> 0.00559, 2^28 numbers 1.81 -> 0.714 ms
// Half the memory traffic, and one launch. Its bottleneck: a tile occupies its registers until the slowest of
// all tiles before it has been read.

#include <cuda_runtime.h>
#include <cuda/atomic>

#include <cstddef>
#include <cstdint>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "../device/warp_rows.cuh"

namespace scan {

using namespace cs418;  // of ../device

constexpr int lookback_warps = 16, lookback_rows = 8,
              lookback_tile = lookback_warps * lookback_rows * row_items;

/// A word per tile: bits 63..34 number of the launch, so that words of earlier launches count as empty and
/// are never cleared; bits 33..32 state; bits 31..0 sum. State and sum come together: relaxed accesses do.
enum LookbackState : unsigned { nothing_yet, aggregate, inclusive_prefix };
using LookbackWord = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>;

static __device__ void publish(std::uint64_t& word, unsigned launch, LookbackState state, unsigned sum) {
  LookbackWord(word).store(std::uint64_t{launch << 2 | state} << 32 | sum, cuda::memory_order_relaxed);
}

/// The sum of all tiles before `tile`, in every lane. For one whole warp: it reads 32 words at once, the
/// nearest in lane 0, again and again until those up to the nearest inclusive prefix are there.
static __device__ unsigned look_back(std::uint64_t* words, unsigned launch, std::size_t tile, unsigned lane) {
  unsigned sum = 0, with_prefix = 0;
  for (std::size_t end = tile; end > 0 && with_prefix == 0;
       end -= 32) {  // tiles [0, end) are still to be added
    std::uint64_t word = std::uint64_t{launch << 2 | inclusive_prefix} << 32;  // before the first tile: 0
    unsigned needed, ready;
    do {
      if (lane < end) word = LookbackWord(words[end - 1 - lane]).load(cuda::memory_order_relaxed);
      const unsigned high = static_cast<unsigned>(word >> 32), state = high >> 2 == launch ? high & 3 : 0;
      with_prefix = __ballot_sync(all_lanes, state == inclusive_prefix);
      ready = __ballot_sync(all_lanes, state != nothing_yet);
      needed = with_prefix != 0 ? with_prefix ^ (with_prefix - 1) : all_lanes;  // up to the nearest of these
    } while ((ready & needed) != needed);
    sum += warp_sum((needed >> lane & 1) != 0 ? static_cast<unsigned>(word) : 0);
  }
  return sum;
}

/// One block per tile. `in` and `out` may be the same array. A tile's number is a ticket: all tiles before
/// belong to blocks that have started, which blockIdx does not promise; else waiting for them could take
/// forever. The last ticket leaves 0 for the next launch.
static __global__ void __launch_bounds__(lookback_warps* warp_lanes, 2)
    scan_lookback(const unsigned* in, unsigned* out, std::size_t n, std::uint64_t* words, unsigned* ticket,
                  unsigned launch) {
  __shared__ unsigned tile, prefix, warp_sums[lookback_warps];
  const unsigned lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes;
  if (threadIdx.x == 0) tile = atomicInc(ticket, gridDim.x - 1);
  __syncthreads();
  const std::size_t first = (std::size_t{tile} * lookback_warps + warp) * lookback_rows * row_items;

  WarpRows<lookback_rows> mine;
  mine.load(in, n, first, lane);
  const unsigned sum_of_warp = warp_sum(mine.lane_sum());
  if (lane == 0) warp_sums[warp] = sum_of_warp;
  __syncthreads();

  // The tile's aggregate goes out as early as possible: others wait for it. Only then the rows are scanned.
  unsigned total = 0;
  if (warp == 0) {
    total = warp_sum(lane < lookback_warps ? warp_sums[lane] : 0);
    if (lane == 0) publish(words[tile], launch, tile == 0 ? inclusive_prefix : aggregate, total);
  }
  mine.scan(lane);
  if (warp == 0) {
    const unsigned sum = look_back(words, launch, tile, lane);
    if (lane == 0 && tile > 0) publish(words[tile], launch, inclusive_prefix, sum + total);
    if (lane == 0) prefix = sum;
  }
  __syncthreads();
  mine.store(out, n, first, lane, prefix + warp_sum(lane < warp ? warp_sums[lane] : 0));
}

class LookbackScan {
 public:
  /// Scratch memory: one word per tile, and the ticket.
  explicit LookbackScan(std::size_t max_n) : words_(div_up(max_n, lookback_tile)), ticket_(1) {}

  /// Calls that follow each other go to one stream.
  void run(const unsigned* in, unsigned* out, std::size_t n, cudaStream_t stream = nullptr) {
    if (n == 0) return;
    launch_ = launch_ % ((1u << 30) - 1) + 1;  // 1, 2, ..., and 1 again
    if (launch_ == 1) {
      HANDLE_ERROR(cudaMemsetAsync(words_.get(), 0, words_.bytes(), stream));
      HANDLE_ERROR(cudaMemsetAsync(ticket_.get(), 0, ticket_.bytes(), stream));
    }
    scan_lookback<<<div_up(n, lookback_tile), lookback_warps * warp_lanes, 0, stream>>>(
        in, out, n, words_.get(), ticket_.get(), launch_);
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  DeviceMemory<std::uint64_t> words_;
  DeviceMemory<unsigned> ticket_;
  unsigned launch_ = 0;
};

}  // namespace scan
