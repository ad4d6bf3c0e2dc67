#pragma once
// lookback - single-pass scan with decoupled look-back: each number is read and written once.
//
// Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002. A block keeps its tile in registers, publishes the tile's sum (its
// aggregate) in one word of global memory, and walks back over the words of the tiles before,
// adding their sums, until one holds the sum of all numbers up to there (an inclusive prefix):
//
//      tile    1   2   3   4   5
//      word    P   A   A   X   .  <-- tile 5 looks back
//
//      X   nothing yet: wait
//      A   the aggregate: add it and go on
//      P   the inclusive prefix: add it and stop
//
//   ./run scan -n 1000000 --method lookback
//
// Gain over blocks on an H200: 10^6 numbers 0.0124 -> 0.00559, 2^28 numbers 1.81 -> 0.717 ms
// Half the memory traffic, and one launch. Its bottleneck: a tile occupies its registers until the
// slowest of all tiles before it has been read.
//
// Needed: ../device/warp_rows.cuh (how a warp loads, scans and stores its rows).

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

constexpr int lookback_warps = 16;
constexpr int lookback_rows = 8;
constexpr int lookback_tile = lookback_warps * lookback_rows * row_items;

enum class TileState : unsigned { nothing_yet, aggregate, inclusive_prefix };

/// A tile's state and sum. They are in one word, so both arrive together, and relaxed accesses are
/// enough. The word also has the number of its launch. A word of another launch counts as empty, so
/// the words need no clearing between launches.
struct TileWord {
  std::uint64_t bits;  ///< 63..34 number of the launch, 33..32 state, 31..0 sum

  static __device__ TileWord of(unsigned launch, TileState state, unsigned sum) {
    const unsigned high = launch << 2 | static_cast<unsigned>(state);
    return {std::uint64_t{high} << 32 | sum};
  }
  static __device__ TileWord load(std::uint64_t& place) {
    return {cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>(place).load(
        cuda::memory_order_relaxed)};
  }
  __device__ void store(std::uint64_t& place) const {
    cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>(place).store(
        bits, cuda::memory_order_relaxed);
  }

  __device__ TileState state(unsigned launch) const {
    const unsigned high = static_cast<unsigned>(bits >> 32);
    if (high >> 2 != launch) return TileState::nothing_yet;
    return static_cast<TileState>(high & 3);
  }
  __device__ unsigned sum() const { return static_cast<unsigned>(bits); }
};

/// The sum of all tiles before `tile`, in every lane. For one whole warp: it reads 32 words at
/// once, the nearest in lane 0, again and again until those up to the nearest inclusive prefix are
/// there.
static __device__ unsigned look_back(std::uint64_t* words, unsigned launch, size_t tile,
                                     unsigned lane) {
  unsigned sum = 0;
  unsigned with_prefix = 0;  // a bit for each lane
  // Tiles [0, end) are still to be added.
  for (size_t end = tile; end > 0 && with_prefix == 0; end -= 32) {
    TileWord word = TileWord::of(launch, TileState::inclusive_prefix, 0);  // before the first tile
    unsigned needed;
    unsigned ready;
    do {
      if (lane < end) word = TileWord::load(words[end - 1 - lane]);
      const TileState state = word.state(launch);
      with_prefix = __ballot_sync(all_lanes, state == TileState::inclusive_prefix);
      ready = __ballot_sync(all_lanes, state != TileState::nothing_yet);
      needed = all_lanes;
      if (with_prefix != 0) needed = with_prefix ^ (with_prefix - 1);  // up to the nearest one
    } while ((ready & needed) != needed);
    const bool is_needed = (needed >> lane & 1) != 0;
    sum += warp_sum(is_needed ? word.sum() : 0);
  }
  return sum;
}

/// One block per tile. `in` and `out` may be the same array. A tile's number is a ticket, not
/// blockIdx: lower tickets belong to blocks that have started, so waiting for them ends. The last
/// ticket sets the counter to 0 for the next launch.
static __global__ void __launch_bounds__(lookback_warps* warp_lanes, 2)
    scan_lookback(const unsigned* in, unsigned* out, size_t n, std::uint64_t* words,
                  unsigned* ticket, unsigned launch) {
  __shared__ unsigned tile;
  __shared__ unsigned prefix;
  __shared__ unsigned warp_sums[lookback_warps];
  const unsigned lane = threadIdx.x % warp_lanes;
  const unsigned warp = threadIdx.x / warp_lanes;
  if (threadIdx.x == 0) tile = atomicInc(ticket, gridDim.x - 1);
  __syncthreads();
  const size_t first = (size_t{tile} * lookback_warps + warp) * lookback_rows * row_items;

  WarpRows<lookback_rows> mine;
  mine.load(in, n, first, lane);
  const unsigned sum_of_warp = warp_sum(mine.lane_sum());
  if (lane == 0) warp_sums[warp] = sum_of_warp;
  __syncthreads();

  // The tile's aggregate goes out before the rows are scanned: others wait for it.
  unsigned total = 0;
  if (warp == 0) {
    total = warp_sum(lane < lookback_warps ? warp_sums[lane] : 0);
    const TileState state = tile == 0 ? TileState::inclusive_prefix : TileState::aggregate;
    if (lane == 0) TileWord::of(launch, state, total).store(words[tile]);
  }
  mine.scan(lane);
  if (warp == 0) {
    const unsigned sum = look_back(words, launch, tile, lane);
    if (lane == 0 && tile > 0)
      TileWord::of(launch, TileState::inclusive_prefix, sum + total).store(words[tile]);
    if (lane == 0) prefix = sum;
  }
  __syncthreads();
  const unsigned before_warp = prefix + warp_sum(lane < warp ? warp_sums[lane] : 0);
  mine.store(out, n, first, lane, before_warp);
}

class LookbackScan {
 public:
  /// Scratch memory: one word per tile, and the ticket.
  explicit LookbackScan(size_t max_n) : words_(div_up(max_n, lookback_tile)), ticket_(1) {}

  /// Calls that follow each other go to one stream.
  void run(const unsigned* in, unsigned* out, size_t n, cudaStream_t stream = nullptr) {
    if (n == 0) return;
    // 1 to 2^30 - 1: the word has 30 bits for it, and 0 is no launch.
    launch_ = launch_ % ((1u << 30) - 1) + 1;
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
