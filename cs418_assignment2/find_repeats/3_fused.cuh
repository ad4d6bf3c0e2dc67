#pragma once
// Rung 3, `fused`: single-pass stream compaction, software-pipelined. One launch reads the array once and keeps one bit
// of each number.
//
// A few persistent blocks take the array's tiles in turn, one per round, as in scan/5_pipeline.cuh (cooperative
// launch). A warp reads its part of a tile, keeps the flag of each number, one bit in a register, and drops the
// numbers. The positions of the flags' indices depend on the tile's prefix, the number of flags in all tiles before.
// Tiles publish how many flags they have, and one round later, while the warps read the next tile, the prefix is added
// up from that. So the indices of a tile are written two rounds after its flags were found, and in the long run no
// block waits for another (timeline.svg in README.md, and below, in the kernel).
//
//   ./run find_repeats -n 40000000 --method fused
//
// Gain over `scan`: one pass over the array where there were five: 294 instead of 2529 microseconds for 2^28
// numbers, 96 % of the rate at which the memory copies; 11.5 instead of 23.9 for a million (H200, README.md).

#include <cuda_runtime.h>
#include <cuda/atomic>

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "../device/tiles.cuh"
#include "../device/warp_rows.cuh"

/// A chunk is what a warp looks at in one go: 8 rows of 128 numbers, 1024 in all.
constexpr int chunk_rows = 8, chunk_items = chunk_rows * row_items;
constexpr int fused_max_warps = 24;  // of a block, without the messenger

/// Bit k of 8 becomes bit 4k.
__device__ inline unsigned spread(unsigned bits) {
  bits = (bits | bits << 12) & 0x000f000f;
  bits = (bits | bits << 6) & 0x03030303;
  return (bits | bits << 3) & 0x11111111;
}

/// A warp's chunk of the n numbers of an array, read ahead of use.
struct RepeatChunk {
  WarpRows<chunk_rows> rows;
  unsigned after;  // the number after the chunk

  __device__ void load(const int* array, std::size_t n, std::size_t first, int lane) {
    const unsigned* in = reinterpret_cast<const unsigned*>(array);
    rows.load(in, n, first, lane);
    after = first + chunk_items < n ? in[first + chunk_items] : 0;
  }

  /// Bit b of lane k: is number first + 32k + b equal to its successor?
  __device__ unsigned flags(std::size_t n, std::size_t first, int lane) const {
    unsigned row[4] = {};  // bit j of row[c]: number 4j + c of row k / 4
#pragma unroll
    for (int r = 0; r < chunk_rows; ++r) {
      // The successor of a lane's last number is the next lane's first; lane 31 looks into the next row.
      const uint4 v = rows.values[r];
      const unsigned next_row = r + 1 < chunk_rows ? rows.values[(r + 1) % chunk_rows].x : after;
      const unsigned successor = __shfl_sync(all_lanes, lane == 0 ? next_row : v.x, (lane + 1) % warp_lanes);
      const bool equal[4] = {v.x == v.y, v.y == v.z, v.z == v.w, v.w == successor};
      for (int c = 0; c < 4; ++c)
        if (const unsigned votes = __ballot_sync(all_lanes, equal[c]); lane / 4 == r) row[c] = votes;
    }
    unsigned bits = 0;  // lane k takes byte k % 4 of each
    for (int c = 0; c < 4; ++c) bits |= spread(row[c] >> lane % 4 * 8 & 0xff) << c;
    const std::size_t mine = first + 32 * lane;  // numbers from n - 1 on have no successor
    if (mine + 32 >= n) bits &= mine + 1 < n ? (1u << (n - 1 - mine)) - 1 : 0;
    return bits;
  }
};

/// A warp's room to put a chunk's indices in order before they are written. Two spare numbers after every 32
/// keep lanes with many flags from meeting in one bank of shared memory.
struct RepeatStage {
  unsigned short numbers[chunk_items + chunk_items / 32 * 2];
  __device__ unsigned short& at(unsigned i) { return numbers[i + i / 32 * 2]; }
};

/// Writes the indices of one chunk's flags to out[place ...], as full lines, and returns how many there were.
__device__ inline unsigned write_repeats(unsigned bits, unsigned first_index, unsigned place, int* out,
                                         RepeatStage& stage, int lane) {
  // Hillis and Steele: the sum of the lanes up to this one, then of those before.
  unsigned slot = __popc(bits);
  for (int distance = 1; distance < warp_lanes; distance *= 2) {
    const unsigned left = __shfl_up_sync(all_lanes, slot, distance);
    if (lane >= distance) slot += left;
  }
  const unsigned count = __shfl_sync(all_lanes, slot, warp_lanes - 1);
  slot -= __popc(bits);
  for (; bits != 0; bits &= bits - 1)
    stage.at(slot++) = static_cast<unsigned short>(32 * lane + __ffs(bits) - 1);
  __syncwarp();
  for (unsigned i = lane; i < count; i += warp_lanes)
    out[place + i] = static_cast<int>(first_index + stage.at(i));
  __syncwarp();
  return count;
}

/// `tile_count` tiles, of `chunks` chunks for each of `warps` warps. `words`: a word per tile, in which its total is
/// published. `done`: 0 before and after a launch. `count`: the host's.
///
/// The block's last warp polls for the prefixes. In a block of `warps` + 1 it has no chunks, only polls (warp
/// specialization: a messenger): a round trip to the L2 cache would cost the others a microsecond per round. Where there
/// is a single round, there is no other work meanwhile, and no such warp.
template <int chunks>
__global__ void __launch_bounds__((fused_max_warps + 1) * warp_lanes)
    find_repeats_fused(const int* in, std::size_t n, int* out, unsigned tile_count, int warps,
                       TileWords words, unsigned long long* done, unsigned* count) {
  extern __shared__ unsigned stage_memory[];
  RepeatStage* stages = reinterpret_cast<RepeatStage*>(stage_memory);  // one per warp
  // The totals of the block's i-th tile lie at i % 4: they are written in round i and read until the end of round i + 2,
  // which the barrier of round i + 3 waits for. The prefix that round i reads lies at i % 4, too.
  __shared__ unsigned warp_totals[4][fused_max_warps], prefixes[4];
  __shared__ ArrivalSum block_totals[4];
  if (threadIdx.x < 4) block_totals[threadIdx.x] = {};

  // From a shuffle, so that the compiler sees that all lanes agree on it.
  const int warp = __shfl_sync(all_lanes, static_cast<int>(threadIdx.x / warp_lanes), 0);
  const int lane = threadIdx.x % warp_lanes, last_warp = blockDim.x / warp_lanes - 1;
  const bool polls = warp == last_warp, messenger = warp == warps;
  const unsigned tiles = (tile_count - 1 - blockIdx.x) / gridDim.x + 1;  // of this block
  // Of the block's i-th tile the number, and where this warp's chunk c of it begins. Numbers have 32 bits, as in
  // scan/5_pipeline.cuh.
  const auto number = [&](unsigned i) { return blockIdx.x + i * gridDim.x; };
  const auto first = [&](unsigned i, int c) {
    return (std::size_t{number(i)} * warps + warp) * (chunks * chunk_items) + c * chunk_items;
  };
  // How many flags the warps below `end` have found in the block's i-th tile.
  const auto total_before = [&](unsigned i, int end) {
    return warp_sum(lane < end ? warp_totals[i % 4][lane] : 0);
  };

  // Timeline of a block. `i`: its i-th tile; all warps meet at the barrier || at the start of a round.
  //
  //   round  ||  every warp, chunk by chunk                                          messenger
  //     0    ||  flags of tile 0, loads the numbers of 1                             -
  //     1    ||  flags of tile 1, loads the numbers of 2                             polls prefix of 0
  //     2    ||  flags of tile 2, loads the numbers of 3, writes indices of 0        polls prefix of 1
  //     3    ||  flags of tile 3, loads the numbers of 4, writes indices of 1        polls prefix of 2
  //
  // A last warp with chunks of its own polls, too, before the barrier of the next round.
  RepeatChunk ahead;  // the numbers of the chunk that is looked at next, in flight
  if (!messenger) ahead.load(in, n, first(0, 0), lane);
  unsigned last[chunks] = {}, earlier[chunks] = {};  // flags of tiles i-1 and i-2
  unsigned prefix = 0;                               // of tile i-2; only the warp that polls uses it
  for (unsigned i = 0; i < tiles + 2; ++i) {
    if (polls && i >= 2) {  // adds the totals published since this block's tile before, one per block
      const unsigned tile = number(i - 2);
      prefix += words.sum(tile < gridDim.x ? 0 : tile - gridDim.x, tile, lane);
      if (lane == 0) prefixes[i % 4] = prefix;
    }
    __syncthreads();
    if (messenger) continue;
    // place: where the next index of tile i-2 goes. found: the flags of tile i that this lane has seen.
    unsigned place = i >= 2 ? prefixes[i % 4] + total_before(i - 2, warp) : 0, found = 0;
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      unsigned now = 0;
      if (i < tiles) {
        now = ahead.flags(n, first(i, c), lane);
        if (c + 1 < chunks)
          ahead.load(in, n, first(i, c + 1), lane);
        else if (i + 1 < tiles)
          ahead.load(in, n, first(i + 1, 0), lane);
      }
      found += __popc(now);
      if (i >= 2)
        place +=
            write_repeats(earlier[c], static_cast<unsigned>(first(i - 2, c)), place, out, stages[warp], lane);
      earlier[c] = last[c];
      last[c] = now;
    }
    const unsigned sum = warp_sum(found);
    if (i < tiles && lane == 0) {
      unsigned total;
      warp_totals[i % 4][warp] = sum;
      if (block_totals[i % 4].arrive(sum, warps, total)) words.publish(number(i), total);
    }
  }
  __syncthreads();
  if (!polls) return;

  // `done` counts the blocks that have written all their indices in its upper half, and gathers the number of repeats in
  // its lower half, from the block with the last tile. The last block to come here hands it to the host.
  const unsigned in_all = number(tiles - 1) + 1 == tile_count ? prefix + total_before(tiles - 1, warps) : 0;
  if (lane != 0) return;
  __threadfence();
  const unsigned long long before = atomicAdd(done, (1ull << 32) + in_all);
  if (before >> 32 != gridDim.x - 1) return;
  *done = 0;
  // Relaxed is enough: the host takes nothing but this number. The indices reach it by copies in the stream.
  cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*count).store(static_cast<unsigned>(before) + in_all,
                                                                      cuda::memory_order_relaxed);
}

class FusedRepeats {
  static auto kernel(int chunks) { return chunks == 3 ? find_repeats_fused<3> : find_repeats_fused<1>; }

 public:
  /// Scratch memory: one word per tile of the smallest tiles that may be chosen, and the way of the count.
  explicit FusedRepeats(std::size_t max_n) : words_(div_up(max_n, 4 * chunk_items)), done_(1), count_(1) {
    HANDLE_ERROR(cudaMemset(done_.get(), 0, done_.bytes()));
    for (const int chunks : {1, 3})
      HANDLE_ERROR(cudaFuncSetAttribute(kernel(chunks), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        fused_max_warps * sizeof(RepeatStage)));
    HANDLE_ERROR(cudaDeviceSynchronize());  // `done` is 0 for launches in any stream
  }

  std::size_t run(const int* in, std::size_t n, int* out, cudaStream_t stream = nullptr) {
    if (n < 2) return 0;
    // One round: as many warps as it takes, in fours, because a multiprocessor has four schedulers, and all wait for the
    // one with most. More: as many warps, of 1 or 3 chunks, as make the rounds come out even; the costs are fitted to
    // times measured on an H200 over all shapes and sizes.
    constexpr TileShape shapes[] = {{1, 24}, {1, 20}, {1, 16}, {3, 24}, {3, 20}, {3, 16}};
    const int share = static_cast<int>(div_up(div_up(n, processors_), chunk_items));
    const bool messenger = share > fused_max_warps;
    auto [chunks, warps] = messenger ? even_rounds(n, chunk_items, processors_, 2, 17 * chunk_items, shapes)
                                     : TileShape{1, div_up(share, 4) * 4};

    auto tiles = static_cast<unsigned>(div_up(n, std::size_t(chunks) * warps * chunk_items));
    unsigned* count = count_.get();
    unsigned long long* done = done_.get();
    TileWords words = words_.next_launch(stream);
    void* arguments[] = {&in, &n, &out, &tiles, &warps, &words, &done, &count};
    const std::atomic_ref<unsigned> found(*count);
    found.store(no_count, std::memory_order_relaxed);
    HANDLE_ERROR(cudaLaunchCooperativeKernel(kernel(chunks), std::min(tiles, processors_),
                                             (warps + (messenger ? 1 : 0)) * warp_lanes, arguments,
                                             warps * sizeof(RepeatStage), stream));
    // The last block writes the count into page-locked memory. To see it there takes 1.1 to 1.8 microseconds less than
    // cudaStreamSynchronize() and a copy (H200, README.md). After a million looks it has taken long, or failed.
    for (int look = 0; look < 1'000'000; ++look)
      if (const unsigned all = found.load(std::memory_order_relaxed); all != no_count) return all;
    HANDLE_ERROR(cudaStreamSynchronize(stream));
    return *count;
  }

 private:
  static constexpr unsigned no_count = 0xffffffffu;  // there are fewer indices than that

  unsigned processors_ = multiprocessors();
  TileWordsMemory words_;
  DeviceMemory<unsigned long long> done_;
  PinnedMemory<unsigned> count_;
};
