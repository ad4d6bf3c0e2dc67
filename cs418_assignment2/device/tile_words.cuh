#pragma once
// How the blocks of a cooperative launch tell each other the sums of their tiles.
//
// Every tile has one 64-bit word in global memory:
//
//     bits 63..34  number of the launch, so that words of       bits 33..32  1      bits 31..0  the tile's sum,
//                  earlier launches count as empty                                              modulo 2^32
//
// The number and the sum travel in one word. That is why relaxed accesses do: there is nothing else to order, no fence,
// no flag beside the data.

#include <cuda_runtime.h>
#include <cuda/atomic>

#include <cstddef>
#include <cstdint>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "warp.cuh"

/// The words of one launch, as kernels get them.
struct TileWords {
  std::uint64_t* words;  // one per tile
  unsigned launch;       // 1 .. 2^30 - 1

  __device__ void publish(std::size_t tile, unsigned total) const {
    const std::uint64_t word = (std::uint64_t{launch << 2 | 1} << 32) | total;
    cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>(words[tile])
        .store(word, cuda::memory_order_relaxed);
  }
  __device__ std::uint64_t read(std::size_t tile) const {
    return cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>(words[tile])
        .load(cuda::memory_order_relaxed);
  }
  __device__ bool empty(std::uint64_t word) const {
    const unsigned high = static_cast<unsigned>(word >> 32);
    return high >> 2 != launch || (high & 3) == 0;
  }
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
      while (tiles.empty(words[k])) words[k] = tiles.read(tile);
      sum += static_cast<unsigned>(words[k]);
    }
    __syncwarp();
  }
  return warp_sum(sum);
}

/// The memory behind TileWords, on the host's side: for launches of up to `tiles` tiles.
class TileWordsMemory {
 public:
  explicit TileWordsMemory(std::size_t tiles) : words_(tiles) { clear(); }

  /// The words for the next launch. Launches that use the same memory must follow each other in one stream.
  TileWords next_launch() {
    if (++launch_ == 1u << 30) clear();
    return {words_.get(), launch_};
  }

 private:
  void clear() {
    if (words_.size() > 0) HANDLE_ERROR(cudaMemset(words_.get(), 0, words_.bytes()));
    launch_ = 1;
  }

  DeviceMemory<std::uint64_t> words_;
  unsigned launch_ = 0;
};
