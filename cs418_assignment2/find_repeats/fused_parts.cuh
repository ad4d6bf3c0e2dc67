#pragma once
// The parts of 3_fused.cuh: how a warp finds and writes the repeats of a chunk, how the warps of a block exchange
// what they have found, and how the count leaves the device.
//
//   RepeatChunk     1024 numbers in registers, read ahead of use, and their flags: one bit per number
//   in_order        the flags' bits in the order of the numbers
//   write_repeats   the indices of the flags, put in order in shared memory and written as full lines
//   RepeatWarp      a warp that goes through the chunks of its tiles
//   RoundNotes      totals and places, from warp to warp
//   report_count    the count, when all indices are written

#include <cuda_runtime.h>
#include <cuda/atomic>

#include <cstddef>
#include <cstdint>

#include "../device/tiles.cuh"
#include "../device/warp.cuh"

/// A chunk is what a warp looks at in one go: 8 rows of 128 numbers, 1024 in all.
constexpr int chunk_rows = 8, chunk_items = chunk_rows * row_items;
constexpr int fused_max_warps = 24;  // of a block, without the messenger

/// A warp's chunk, read ahead: lane k holds numbers 4k..4k+3 of each row of 128.
struct RepeatChunk {
  uint4 values[chunk_rows];
  unsigned after;  // the number after the chunk

  __device__ void load(const unsigned* in, std::size_t n, std::size_t first, int lane) {
    if (first + chunk_items < n) {
      load_rows(values, in, n, first, lane, true);
      after = in[first + chunk_items];
    } else {
      load_rows(values, in, n, first, lane, false);
      after = 0;
    }
  }

  /// Bit 4r + c of the result: is number c of this lane in row r equal to its successor?
  __device__ unsigned flags(std::size_t n, std::size_t first, int lane) const {
    unsigned bits = 0;
#pragma unroll
    for (int r = 0; r < chunk_rows; ++r) {
      // The successor of a lane's last number is the next lane's first; lane 31 looks into the next row.
      const unsigned next_row = r + 1 < chunk_rows ? values[r + 1 < chunk_rows ? r + 1 : r].x : after;
      const unsigned successor =
          __shfl_sync(all_lanes, lane == 0 ? next_row : values[r].x, (lane + 1) % warp_lanes);
      const uint4 v = values[r];
      bits |= (unsigned{v.x == v.y} | unsigned{v.y == v.z} << 1 | unsigned{v.z == v.w} << 2 |
               unsigned{v.w == successor} << 3)
              << 4 * r;
    }
    if (first + chunk_items >= n) {  // numbers from n - 1 on have no successor
#pragma unroll
      for (int r = 0; r < chunk_rows; ++r)
        for (int c = 0; c < 4; ++c)
          if (first + r * row_items + 4 * lane + c + 1 >= n) bits &= ~(1u << (4 * r + c));
    }
    return bits;
  }
};

/// A warp's room to put a chunk's indices in order before they are written. Two spare numbers after every 32
/// keep lanes with many flags from meeting in one bank of shared memory.
struct RepeatStage {
  unsigned short numbers[chunk_items + chunk_items / 32 * 2];
  __device__ unsigned short& at(unsigned i) { return numbers[i + i / 32 * 2]; }
};

/// Bit 4r + c of lane k stands for number 128r + 4k + c of the chunk. Returns words in order: bit b of lane k for
/// number 32k + b. So piece r of lane k, the 4 bits of row r, belongs into word 4r + k / 8, there as piece k % 8. In
/// two moves: first the pieces of lanes 8g to 8g + 7 are transposed (halves, quarters, eighths change places), so that
/// lane 8g + r holds word 4r + g; then every lane takes its word from there.
__device__ inline unsigned in_order(unsigned bits, int lane) {
#pragma unroll
  for (int distance = 4; distance > 0; distance /= 2) {
    const int shift = 4 * distance;
    const unsigned low = distance == 4 ? 0x0000ffffu : distance == 2 ? 0x00ff00ffu : 0x0f0f0f0fu;
    const bool upper = (lane & distance) != 0;
    const unsigned other = __shfl_xor_sync(all_lanes, upper ? bits & low : bits >> shift & low, distance);
    bits = upper ? (bits & ~low) | other : (bits & low) | other << shift;
  }
  return __shfl_sync(all_lanes, bits, lane % 4 * 8 + lane / 4);
}

/// Writes the indices of one chunk's flags to out[place ...] and returns how many there were.
__device__ inline unsigned write_repeats(unsigned bits, unsigned first_index, unsigned place, int* out,
                                         unsigned capacity, RepeatStage& stage, int lane) {
  unsigned count;
  unsigned slot = warp_exclusive_scan(__popc(bits), count, lane);
  for (; bits != 0; bits &= bits - 1)
    stage.at(slot++) = static_cast<unsigned short>(32 * lane + __ffs(bits) - 1);
  __syncwarp();
  for (unsigned i = lane; i < count; i += warp_lanes)
    if (place + i < capacity) out[place + i] = static_cast<int>(first_index + stage.at(i));
  __syncwarp();
  return count;
}

/// A warp's part of the block's tiles: `chunks` chunks of each, which it goes through in order.
template <int chunks>
struct RepeatWarp {
  const unsigned* in;
  std::size_t n;
  BlockTiles tiles;
  int warp, warps, lane;
  RepeatChunk ahead;  // the numbers of the chunk that is looked at next, in flight

  /// Where chunk c of the block's i-th tile begins in the array.
  __device__ std::size_t first(unsigned i, int c) const {
    return (std::size_t{tiles.number(i)} * warps + warp) * (chunks * chunk_items) + c * chunk_items;
  }
  /// Loads the numbers of the very first chunk.
  __device__ void begin() {
    if (tiles.count > 0) ahead.load(in, n, first(0, 0), lane);
  }
  /// The flags of a chunk, bit b of lane k for number 32 k + b. Loads the numbers of the chunk after it.
  __device__ unsigned look(unsigned i, int c) {
    const unsigned flags = ahead.flags(n, first(i, c), lane);
    const bool last_of_tile = c + 1 == chunks;
    if (!last_of_tile || i + 1 < tiles.count)
      ahead.load(in, n, last_of_tile ? first(i + 1, 0) : first(i, c + 1), lane);
    return in_order(flags, lane);
  }
};

/// What the warps of a block exchange, in shared memory. What belongs to the block's i-th tile lies at i % 4: it
/// is written in round i and read until the end of round i + 2, when a fast warp may be in round i + 3 already. No warp
/// is further: the barrier of round i + 4 waits for all.
struct RoundNotes {
  unsigned warp_totals[4][fused_max_warps];  // flags that each warp has found
  unsigned prefixes[4];                      // flags before the tile
  ArrivalSum block_totals[4];                // flags in the tile, as the warps arrive

  /// Before the first round; a barrier has to follow.
  __device__ void clear() {
    if (threadIdx.x < 4) block_totals[threadIdx.x] = {};
  }
  /// Where the indices of this warp's flags begin in the output.
  __device__ unsigned place(unsigned i, int warp, int lane) const {
    return prefixes[i % 4] + warp_sum(lane < warp ? warp_totals[i % 4][lane] : 0);
  }
  /// Notes how many flags this warp has found. The last warp to come publishes the sum, the tile's total.
  __device__ void tell(unsigned i, unsigned flags_of_lane, int warp, int warps, int lane,
                       const TileWords& words, unsigned tile) {
    const unsigned sum = warp_sum(flags_of_lane);
    if (lane != 0) return;
    unsigned total;
    warp_totals[i % 4][warp] = sum;
    if (block_totals[i % 4].arrive(sum, warps, total)) words.publish(tile, total);
  }
};

/// As __syncthreads(), but may occur at several places of a kernel for different warps. CUDA's rule for
/// __syncthreads() is that all threads come to the same one; the hardware's barrier requires only that all
/// threads of the block come to one with this number. (PTX manual, barrier.sync.)
__device__ inline void round_barrier() {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_DEVICE)
  asm volatile("barrier.sync 1, %0;" ::"r"(blockDim.x) : "memory");
#else
  __syncthreads();
#endif
}

/// Called by one thread per block when the block has written all its indices. `done` counts these blocks in its
/// upper half, and gathers the number of repeats in its lower half: `in_all` is that number in the block that knows
/// it, 0 in the others. The last of `blocks` blocks to come here hands it to the host's `count` and leaves 0 in
/// `done` for the next launch.
__device__ inline void report_count(std::uint64_t* done, unsigned in_all, unsigned blocks, unsigned* count) {
  cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device> arrivals(*done);
  const std::uint64_t before =
      arrivals.fetch_add((std::uint64_t{1} << 32) + in_all, cuda::memory_order_acq_rel);
  if (before >> 32 == blocks - 1) {
    arrivals.store(0, cuda::memory_order_relaxed);
    // Relaxed is enough: the host takes nothing but this number. The indices stay on the device, written before the
    // arrivals, and reach the host by copies in the stream.
    cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*count).store(
        static_cast<unsigned>(before) + in_all, cuda::memory_order_relaxed);
  }
}
