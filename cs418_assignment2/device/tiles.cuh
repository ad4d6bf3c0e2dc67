#pragma once
// Tiles of an array that the blocks of a cooperative launch share, for `exchange` and `pipeline` of
// scan and `fused` of find_repeats: how the blocks publish the sums of their tiles.

#include <cuda_runtime.h>
#include <cuda/atomic>

#include <cstddef>
#include <cstdint>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "warp_rows.cuh"

namespace cs418 {

/// A word of global memory per tile. Its upper half is the number of the launch, its lower half the
/// tile's sum. A word of another launch counts as empty, so the words need no clearing between
/// launches. One access moves both halves, so relaxed accesses are enough: no fence, no flag.
/// (TileWord of scan/3_lookback.cuh also has a state, because a tile there may publish the sum of
/// all tiles up to it.)
struct TileSums {
  std::uint64_t* words;
  unsigned launch;

  __device__ void publish(size_t tile, unsigned sum) const {
    word(tile).store(std::uint64_t{launch} << 32 | sum, cuda::memory_order_relaxed);
  }

  /// The sum of tiles [begin, end), in every lane. For one whole warp. Waits for all of them: no
  /// chain from tile to tile, but the blocks that publish them must be running, so cooperative
  /// launches only. All words are asked for before the first is looked at: a round trip to the L2
  /// cache takes longer than everything else here. While words are missing each lane rereads one
  /// only, because polling takes the cache away from the data (scan/README.md).
  __device__ unsigned total(size_t begin, size_t end, int lane) const {
    constexpr int words_per_lane = 5;  // enough for 132 multiprocessors, a tile each
    unsigned sum = 0;
    for (size_t first = begin; first < end; first += words_per_lane * warp_lanes) {
      std::uint64_t read[words_per_lane];
#pragma unroll
      for (int k = 0; k < words_per_lane; ++k) {
        const size_t tile = first + k * warp_lanes + lane;
        read[k] = std::uint64_t{launch} << 32;  // a sum of 0
        if (tile < end) read[k] = word(tile).load(cuda::memory_order_relaxed);
      }
#pragma unroll
      for (int k = 0; k < words_per_lane; ++k) {
        while (read[k] >> 32 != launch)
          read[k] = word(first + k * warp_lanes + lane).load(cuda::memory_order_relaxed);
        sum += static_cast<unsigned>(read[k]);
      }
      __syncwarp();
    }
    return warp_sum(sum);
  }

  __device__ cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device> word(size_t tile) const {
    return cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>(words[tile]);
  }
};

/// The memory behind TileSums: for launches of up to `tiles` tiles that follow each other in one
/// stream.
class TileSumsMemory {
 public:
  explicit TileSumsMemory(size_t tiles) : words_(tiles) {}

  TileSums next_launch(cudaStream_t stream) {
    launch_ = launch_ % 0xffffffff + 1;  // 1, 2, ..., and 1 again
    if (launch_ == 1) HANDLE_ERROR(cudaMemsetAsync(words_.get(), 0, words_.bytes(), stream));
    return {words_.get(), launch_};
  }

 private:
  DeviceMemory<std::uint64_t> words_;
  unsigned launch_ = 0;
};

/// Adds up one number per warp without a barrier: the warp that comes last learns the sum and can
/// send it on at once, while a barrier would make every warp wait. In shared memory, and clear
/// before the first use, then a barrier; after the last arrival it is clear again. Two 32-bit
/// atomics, because shared memory has an instruction for those; one of 64 bits would be a loop of
/// compare-and-swap.
struct ArrivalSum {
  unsigned sum;
  unsigned arrivals;

  /// One lane of each of `warps` warps calls this once. Returns true for the last one, with the sum
  /// in `total`.
  __device__ bool arrive(unsigned value, unsigned warps, unsigned& total) {
    atomicAdd(&sum, value);
    __threadfence_block();  // a thread that sees the arrival sees the number
    // The last one makes it 0 again.
    if (atomicInc(&arrivals, warps - 1) != warps - 1) return false;
    __threadfence_block();
    total = atomicExch(&sum, 0u);
    return true;
  }
};

}  // namespace cs418
