#pragma once
// Rung 3, `lookback`: single-pass scan with decoupled look-back. One launch reads each number once and writes it once.
//
// Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA technical report
// NVR-2016-002. A block keeps its tile in registers, publishes the tile's sum (its aggregate) in one word of global
// memory, and walks back over the words of the tiles before, adding their sums, until one says "this is the sum of all
// up to here" (its inclusive prefix).
//
//   ./run scan -n 1000000 --method lookback
//
// Gain over `blocks`: half the memory traffic and one launch: 734 instead of 1805 microseconds for 2^28 numbers, 5.7
// instead of 12.7 for a million (H200, README.md). What is left is waiting. A tile holds its registers until the
// slowest of all tiles before it has been read.

#include <cuda_runtime.h>
#include <cuda/atomic>

#include <cstddef>
#include <cstdint>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"

// A tile: 16 warps of 8 rows of 128 numbers, lane k having numbers 4k to 4k + 3 of each row.
constexpr int lookback_warps = 16, lookback_rows = 8, lookback_tile = lookback_warps * lookback_rows * 128;

/// A word per tile: bits 63..34 number of the launch, so that words of earlier launches count as empty and are never
/// cleared; bits 33..32 state; bits 31..0 sum. State and sum come together, so that relaxed accesses do.
enum LookbackState : unsigned { nothing_yet, aggregate, inclusive_prefix };
using LookbackWord = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>;

static __device__ void publish(std::uint64_t& word, unsigned launch, LookbackState state, unsigned sum) {
  LookbackWord(word).store(std::uint64_t{launch << 2 | state} << 32 | sum, cuda::memory_order_relaxed);
}

/// The sum over the 32 lanes, in every lane.
static __device__ unsigned lanes_sum(unsigned value);

/// The sum of all tiles before `tile`, in every lane. For one whole warp: it reads 32 words at once, the nearest in lane
/// 0, again and again until those up to the nearest inclusive prefix are there, and ends with that.
static __device__ unsigned look_back(std::uint64_t* words, unsigned launch, std::size_t tile, int lane);

/// One block per tile. `in` and `out` may be the same array. A tile's number is a ticket: all tiles before belong to
/// blocks that have started, which blockIdx does not promise; else waiting for them could take forever.
static __global__ void __launch_bounds__(lookback_warps * 32, 1)
    scan_lookback(const unsigned* in, unsigned* out, std::size_t n, std::uint64_t* words, unsigned* tickets,
                  unsigned first_ticket, unsigned launch) {
  __shared__ unsigned ticket, prefix, warp_sums[lookback_warps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x == 0) ticket = atomicAdd(tickets, 1u) - first_ticket;
  __syncthreads();
  const unsigned tile = ticket;
  const std::size_t first = (std::size_t{tile} * lookback_warps + warp) * lookback_rows * 128;
  const std::size_t mine = first + 4 * lane;
  const bool whole = first + lookback_rows * 128 <= n;

  uint4 values[lookback_rows];
  if (whole) {  // no tests between the loads, so that all are in flight at once
#pragma unroll
    for (int r = 0; r < lookback_rows; ++r) values[r] = *reinterpret_cast<const uint4*>(in + mine + r * 128);
  } else {
#pragma unroll
    for (int r = 0; r < lookback_rows; ++r) {
      const std::size_t i = mine + r * 128;
      values[r] = {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0,
                   i + 3 < n ? in[i + 3] : 0};
    }
  }
  unsigned sums_of_4[lookback_rows], before[lookback_rows], warp_total = 0;
#pragma unroll
  for (int r = 0; r < lookback_rows; ++r) {
    before[r] = sums_of_4[r] = values[r].x + values[r].y + values[r].z + values[r].w;
    warp_total += before[r];
  }
  warp_total = lanes_sum(warp_total);
  if (lane == 0) warp_sums[warp] = warp_total;
  __syncthreads();

  // The tile's aggregate goes out as early as possible: others wait for it. Only then the rows are scanned.
  unsigned total = 0;
  if (warp == 0) {
    total = lanes_sum(lane < lookback_warps ? warp_sums[lane] : 0);
    if (lane == 0) publish(words[tile], launch, tile == 0 ? inclusive_prefix : aggregate, total);
  }
#pragma unroll
  for (int distance = 1; distance < 32;
       distance *= 2) {  // all rows in step, so that none waits for its shuffle
#pragma unroll
    for (int r = 0; r < lookback_rows; ++r) {
      const unsigned left = __shfl_up_sync(0xffffffff, before[r], distance);
      if (lane >= distance) before[r] += left;
    }
  }
  unsigned rows_before = 0;
#pragma unroll
  for (int r = 0; r < lookback_rows; ++r) {
    const unsigned row_total = __shfl_sync(0xffffffff, before[r], 32 - 1);
    before[r] += rows_before - sums_of_4[r];
    rows_before += row_total;
  }
  if (warp == 0) {
    const unsigned sum = look_back(words, launch, tile, lane);
    if (lane == 0 && tile > 0) publish(words[tile], launch, inclusive_prefix, sum + total);
    if (lane == 0) prefix = sum;
  }
  __syncthreads();
  const unsigned start = prefix + lanes_sum(lane < warp ? warp_sums[lane] : 0);
#pragma unroll
  for (int r = 0; r < lookback_rows; ++r) {
    const std::size_t i = mine + r * 128;
    uint4 sums;
    sums.x = start + before[r];
    sums.y = sums.x + values[r].x;
    sums.z = sums.y + values[r].y;
    sums.w = sums.z + values[r].z;
    if (whole || i + 4 <= n) {
      *reinterpret_cast<uint4*>(out + i) = sums;
    } else {
      if (i < n) out[i] = sums.x;
      if (i + 1 < n) out[i + 1] = sums.y;
      if (i + 2 < n) out[i + 2] = sums.z;
    }
  }
}

static __device__ unsigned lanes_sum(unsigned value) {
#if !defined(EMULATED_DEVICE) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffff, value);  // one instruction
#else
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
  return value;
#endif
}

static __device__ unsigned look_back(std::uint64_t* words, unsigned launch, std::size_t tile, int lane) {
  unsigned sum = 0;
  for (std::size_t end = tile; end > 0; end -= 32) {  // tiles [0, end) are still to be added
    const bool exists = static_cast<std::size_t>(lane) < end;
    std::uint64_t word = 0;
    unsigned with_prefix, needed, ready;
    do {
      if (exists) word = LookbackWord(words[end - 1 - lane]).load(cuda::memory_order_relaxed);
      const unsigned high = static_cast<unsigned>(word >> 32);
      const unsigned state = !exists ? inclusive_prefix : high >> 2 == launch ? high & 3 : nothing_yet;
      with_prefix = __ballot_sync(0xffffffff, state == inclusive_prefix);
      ready = __ballot_sync(0xffffffff, state != nothing_yet);
      needed = with_prefix != 0 ? with_prefix ^ (with_prefix - 1) : 0xffffffff;
    } while ((ready & needed) != needed);
    sum += lanes_sum(exists && (needed >> lane & 1) != 0 ? static_cast<unsigned>(word) : 0);
    if (with_prefix != 0) break;
  }
  return sum;
}

class LookbackScan {
 public:
  /// Scratch memory: one word per tile, and the tickets.
  explicit LookbackScan(std::size_t most) : words_(div_up(most, lookback_tile)), tickets_(1) {}

  /// Calls that follow each other go to one stream.
  void run(const unsigned* in, unsigned* out, std::size_t n, cudaStream_t stream = nullptr) {
    if (n == 0) return;
    const unsigned tiles = static_cast<unsigned>(div_up(n, lookback_tile));
    if (launch_ == last_launch) {
      HANDLE_ERROR(cudaMemsetAsync(words_.get(), 0, words_.bytes(), stream));
      HANDLE_ERROR(cudaMemsetAsync(tickets_.get(), 0, tickets_.bytes(), stream));
      launch_ = taken_ = 0;
    }
    ++launch_;
    scan_lookback<<<tiles, lookback_warps * 32, 0, stream>>>(in, out, n, words_.get(), tickets_.get(), taken_,
                                                             launch_);
    HANDLE_ERROR(cudaGetLastError());
    taken_ += tiles;
  }

 private:
  static constexpr unsigned last_launch = (1u << 30) - 1;

  DeviceMemory<std::uint64_t> words_;
  DeviceMemory<unsigned> tickets_;
  unsigned launch_ = last_launch, taken_ = 0;  // words and tickets are cleared before the first launch
};
