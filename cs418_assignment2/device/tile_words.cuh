#pragma once
// How blocks of one launch tell each other their sums: the part of a single-pass scan that crosses blocks.
//
// The array is cut into tiles, a tile being what one block works on at a time. A block knows the sum of its
// own tile early; what it lacks is the sum of all tiles before it, the tile's prefix. Every tile has one
// 64-bit word in global memory for that:
//
//     bits 63..34  number of the launch       bits 33..32  state        bits 31..0  value
//     so that words of earlier launches       1 total of this tile      a sum, modulo 2^32
//     count as empty: nobody clears them      2 total up to this tile
//
// State and value travel in one word, so whoever reads a state has the value that belongs to it. That is why
// plain relaxed accesses do: there is nothing else to order, no fence, no flag beside the data.

#include <cuda_runtime.h>
#include <cuda/atomic>

#include <cstddef>
#include <cstdint>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "warp.cuh"

/// The words of one launch, as kernels get them.
struct TileWords {
  std::uint64_t* words;   // one per tile
  unsigned* next_ticket;  // global counter, see take_ticket() in look_back.cuh
  unsigned first_ticket;  // its value when the launch began
  unsigned launch;        // 1 .. 2^30 - 1

  enum State : unsigned { empty = 0, total = 1, prefix = 2 };

  __device__ void publish(std::size_t tile, State state, unsigned value) const {
    const std::uint64_t word = (std::uint64_t{launch << 2 | state} << 32) | value;
    cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>(words[tile])
        .store(word, cuda::memory_order_relaxed);
  }
  __device__ std::uint64_t read(std::size_t tile) const {
    return cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>(words[tile])
        .load(cuda::memory_order_relaxed);
  }
  __device__ State state_of(std::uint64_t word) const {
    const unsigned high = static_cast<unsigned>(word >> 32);
    return high >> 2 == launch ? static_cast<State>(high & 3) : empty;
  }
  __device__ static unsigned value_of(std::uint64_t word) { return static_cast<unsigned>(word); }
};

/// Returns the sum of the totals of tiles [begin, end), in every lane. For one whole warp.
/// Waits for the totals of all tiles of the range: no chain from tile to tile, but the blocks that publish
/// them must all be running, so cooperative launches only.
/// All words are asked for before the first is looked at: a round trip to the L2 cache takes longer than
/// everything else here. While words are missing each lane asks again for one only. Many warps that keep
/// asking for many words would take that part of the cache away from the data, and everybody waits for the
/// slowest part. 5 words per lane cover the 132 multiprocessors of an H100 or H200.
__device__ inline unsigned sum_of_totals(const TileWords& tiles, std::size_t begin, std::size_t end,
                                         int lane) {
  constexpr int words_per_lane = 5;
  unsigned sum = 0;
  for (std::size_t first = begin; first < end; first += words_per_lane * warp_lanes) {
    std::uint64_t words[words_per_lane];
#pragma unroll
    for (int k = 0; k < words_per_lane; ++k) {
      const std::size_t tile = first + k * warp_lanes + lane;
      if (tile < end) words[k] = tiles.read(tile);
    }
#pragma unroll
    for (int k = 0; k < words_per_lane; ++k) {
      const std::size_t tile = first + k * warp_lanes + lane;
      if (tile >= end) continue;
      while (tiles.state_of(words[k]) == TileWords::empty) words[k] = tiles.read(tile);
      sum += TileWords::value_of(words[k]);
    }
    __syncwarp();
  }
  return warp_sum(sum);
}

/// The memory behind TileWords, on the host's side: for launches of up to `tiles` tiles.
class TileWordsMemory {
 public:
  explicit TileWordsMemory(std::size_t tiles) : words_(tiles), ticket_(1) { clear(); }

  /// The words for the next launch, which will take `tickets` tickets (0 when it takes none). Launches that
  /// use the same memory must follow each other in one stream.
  TileWords next_launch(std::size_t tickets = 0) {
    if (++launch_ == 1u << 30) clear();
    const unsigned first = taken_;
    taken_ += static_cast<unsigned>(tickets);
    return {words_.get(), ticket_.get(), first, launch_};
  }
  std::size_t tiles() const { return words_.size(); }

 private:
  void clear() {
    if (words_.size() > 0) HANDLE_ERROR(cudaMemset(words_.get(), 0, words_.bytes()));
    HANDLE_ERROR(cudaMemset(ticket_.get(), 0, ticket_.bytes()));
    launch_ = 1;
    taken_ = 0;
  }

  DeviceMemory<std::uint64_t> words_;
  DeviceMemory<unsigned> ticket_;
  unsigned launch_ = 0, taken_ = 0;
};
