#pragma once
// Tiles of an array that the blocks of a cooperative launch share, for the last rungs of scan and find_repeats: how the
// blocks publish the sums of their tiles, and how many blocks that stay (persistent blocks) take them in turn.

#include <cuda_runtime.h>
#include <cuda/atomic>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "warp.cuh"

/// A word of global memory per tile: in the upper half the number of the launch, so that words of earlier launches count
/// as empty and are never cleared, in the lower half the tile's sum. Both come in one access. That is why relaxed ones
/// do: there is nothing else to order, no fence, no flag beside the data.
struct TileWords {
  std::uint64_t* words;
  unsigned launch;

  __device__ void publish(std::size_t tile, unsigned total) const {
    word(tile).store(std::uint64_t{launch} << 32 | total, cuda::memory_order_relaxed);
  }

  /// The sum of the totals of tiles [begin, end), in every lane. For one whole warp. Waits for all of them: no chain from
  /// tile to tile, but the blocks that publish them must be running, so cooperative launches only.
  /// All words are asked for before the first is looked at: a round trip to the L2 cache takes longer than everything
  /// else here. While words are missing each lane rereads one only: many warps that keep polling many words
  /// would take that part of the cache away from the data. 5 words per lane are enough for 132 multiprocessors.
  __device__ unsigned sum(std::size_t begin, std::size_t end, int lane) const {
    constexpr int words_per_lane = 5;
    unsigned sum = 0;
    for (std::size_t first = begin; first < end; first += words_per_lane * warp_lanes) {
      std::uint64_t read[words_per_lane];
#pragma unroll
      for (int k = 0; k < words_per_lane; ++k) {
        const std::size_t tile = first + k * warp_lanes + lane;
        if (tile < end) read[k] = word(tile).load(cuda::memory_order_relaxed);
      }
#pragma unroll
      for (int k = 0; k < words_per_lane; ++k) {
        const std::size_t tile = first + k * warp_lanes + lane;
        if (tile >= end) continue;
        while (read[k] >> 32 != launch) read[k] = word(tile).load(cuda::memory_order_relaxed);
        sum += static_cast<unsigned>(read[k]);
      }
      __syncwarp();
    }
    return warp_sum(sum);
  }

  __device__ cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device> word(std::size_t tile) const {
    return cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>(words[tile]);
  }
};

/// The memory behind TileWords: for launches of up to `tiles` tiles that follow each other in one stream.
class TileWordsMemory {
 public:
  explicit TileWordsMemory(std::size_t tiles) : words_(tiles) {}

  TileWords next_launch(cudaStream_t stream) {
    if (launch_ == last_launch) {
      HANDLE_ERROR(cudaMemsetAsync(words_.get(), 0, words_.bytes(), stream));
      launch_ = 0;
    }
    return {words_.get(), ++launch_};
  }

 private:
  static constexpr unsigned last_launch = 0xffffffff;

  DeviceMemory<std::uint64_t> words_;
  unsigned launch_ = last_launch;  // the words are cleared before the first one
};

/// The tiles of a block that stays: tiles b, b + blocks, b + 2 blocks, ..., one per round. Numbers have 32 bits: after a
/// division of 64-bit numbers, a function call, the compiler no longer knows that all lanes agree, and guards every
/// shuffle of the loop over the tiles.
struct BlockTiles {
  unsigned block, blocks;  ///< this block's number, and how many blocks there are
  unsigned all, count;     ///< tiles of the array, and of them this block's

  __device__ explicit BlockTiles(unsigned tile_count)
      : block(blockIdx.x),
        blocks(gridDim.x),
        all(tile_count),
        count(block < tile_count ? (tile_count - 1 - block) / blocks + 1 : 0) {}

  __device__ unsigned number(unsigned i) const { return block + i * blocks; }
  /// The sum of the tiles from this block's last one, or from the first tile, up to `tile`, in every lane: what the prefix
  /// of `tile` is larger by than the one that this block has asked for last.
  __device__ unsigned sum_since_last(unsigned tile, const TileWords& words, int lane) const {
    return words.sum(tile < blocks ? 0 : tile - blocks, tile, lane);
  }
};

/// Adds up one number per warp without a barrier: the warp that comes last learns the sum and can send it on at once,
/// while a barrier would make every warp wait. In shared memory, and clear before the first use, behind a barrier; after
/// the last arrival it is clear again. Two 32-bit atomics, because shared memory has an instruction for those; one of
/// 64 bits would be a loop of compare-and-swap.
struct ArrivalSum {
  unsigned sum, arrivals;

  /// One lane of each of `warps` warps calls this once. Returns true for the last one, with the sum in `total`.
  __device__ bool arrive(unsigned value, unsigned warps, unsigned& total) {
    atomicAdd(&sum, value);
    __threadfence_block();  // a thread that sees the arrival sees the number
    if (atomicInc(&arrivals, warps - 1) != warps - 1) return false;  // the last one makes it 0 again
    __threadfence_block();
    total = atomicExch(&sum, 0u);
    return true;
  }
};

// ---- the host's part: the size of a tile is chosen so that the last round is a full one

/// A tile: `warps` warps, each with `pieces` pieces (rows of scan, chunks of find_repeats).
struct TileShape {
  int pieces, warps;
};

/// What a kernel loses, in the time that a multiprocessor takes for one number of the array: fitted to measured times,
/// and good only for telling which of two shapes is faster.
struct RoundCosts {
  double ends;       // tiles' worth of time until the first results leave and after the last data has come
  double per_round;  // numbers' worth of time for what a round costs besides: barrier, prefix
};

/// How long `blocks` blocks take for n numbers in tiles of `tile`, in that unit. The last round takes as long as a full
/// one, however few tiles it has: 10 million numbers in tiles of 8192 for 132 blocks are 9.25 rounds and take 10.
inline double time_of_rounds(std::size_t n, std::size_t tile, std::size_t blocks, RoundCosts costs) {
  const auto rounds = static_cast<double>(div_up(div_up(n, tile), blocks));
  return (rounds + costs.ends) * static_cast<double>(tile) + rounds * costs.per_round;
}

/// The shape that takes least time for n numbers in pieces of `piece` numbers; of equals the first.
inline TileShape even_rounds(std::size_t n, std::size_t piece, std::size_t blocks, RoundCosts costs,
                             std::span<const TileShape> shapes) {
  const auto time = [&](TileShape s) { return time_of_rounds(n, s.pieces * s.warps * piece, blocks, costs); };
  return *std::min_element(shapes.begin(), shapes.end(), [&](auto a, auto b) { return time(a) < time(b); });
}
