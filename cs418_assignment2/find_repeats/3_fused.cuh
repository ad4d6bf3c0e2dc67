#pragma once
// fused - single-pass stream compaction, software-pipelined, a bit per number in registers.
//
// A few persistent blocks take the array's tiles in turn, one per round, from bulk copies that run
// ahead, as in scan/5_pipeline.cuh (cooperative launch). A warp keeps the flag of each of its
// numbers, one bit in a register, and lets the next copy overwrite the numbers. The place of a
// tile's indices depends on its prefix: the number of flags in all tiles before. Tiles publish
// their numbers of flags. One round later, with the next tile's flags in other registers, the
// prefix is added up from them and the indices are written. So in the long run no block waits for
// another (timeline.svg in README.md).
//
//   ./run find_repeats -n 40000000 --method fused
//
// Gain over blocks on an H200: 10^6 numbers 0.0315 -> 0.0131, 2^28 numbers 0.657 -> 0.296 ms
// The array is read once, in one launch, nearly at the rate at which the memory copies.
//
// Needed: ../device/tile_ring.cuh (copies in flight), tiles.cuh there (how blocks publish the sums
// of their tiles), warp_rows.cuh there (the sum over a warp).

#include <cuda_runtime.h>
#include <cuda/atomic>

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "../device/tile_ring.cuh"
#include "../device/tiles.cuh"
#include "../device/warp_rows.cuh"

namespace find_repeats {

using namespace cs418;  // of ../device

// As many warps as shared memory has room for; a multiple of four, as a multiprocessor has four
// schedulers.
constexpr int fused_warps = 20;
constexpr int fused_buffers = 2;
constexpr int chunk_items = warp_lanes * warp_lanes;  // of a warp, per tile

/// The place of number i with two spare ones after every 32: they keep lanes with many flags from
/// meeting in one bank.
__host__ __device__ constexpr unsigned with_spares(unsigned i) { return i + i / 32 * 2; }

/// A warp's shared memory: the numbers of its chunks, each with the one after it, in copies of 16
/// bytes, and room to put a chunk's indices in order before they are written.
struct RepeatWarp {
  TileRing<chunk_items + 4, fused_buffers> ring;
  unsigned short stage[with_spares(chunk_items)];

  __device__ unsigned short& at(unsigned i) { return stage[with_spares(i)]; }
};

/// Bit b of lane k: does number 32k + b of the chunk, which begins at `first`, equal its successor?
__device__ inline unsigned repeat_flags(const unsigned* chunk, size_t n, size_t first, int lane) {
  unsigned bits = 0;
#pragma unroll
  for (int row = 0; row < warp_lanes; ++row) {
    const unsigned* number = chunk + row * warp_lanes + lane;
    const unsigned votes = __ballot_sync(all_lanes, number[0] == number[1]);
    if (lane == row) bits = votes;
  }
  const size_t mine = first + 32 * lane;
  if (mine + 32 >= n) {  // numbers from n - 1 on have no successor
    const unsigned with_successor = mine + 1 < n ? (1u << (n - 1 - mine)) - 1 : 0;
    bits &= with_successor;
  }
  return bits;
}

/// Writes the indices of one chunk's flags to out[place ...], as full lines.
__device__ inline void write_repeats(unsigned bits, unsigned first_index, unsigned place, int* out,
                                     RepeatWarp& warp, int lane) {
  // Hillis and Steele: after the step with distance d `inclusive` is the sum of the last 2d lanes.
  const unsigned mine = __popc(bits);
  unsigned inclusive = mine;
  for (int distance = 1; distance < warp_lanes; distance *= 2) {
    const unsigned left = __shfl_up_sync(all_lanes, inclusive, distance);
    if (lane >= distance) inclusive += left;
  }
  const unsigned count = __shfl_sync(all_lanes, inclusive, warp_lanes - 1);
  unsigned slot = inclusive - mine;
  while (bits != 0) {
    warp.at(slot) = static_cast<unsigned short>(32 * lane + __ffs(bits) - 1);
    ++slot;
    bits &= bits - 1;  // without its lowest bit
  }
  __syncwarp();
  for (unsigned i = lane; i < count; i += warp_lanes)
    out[place + i] = static_cast<int>(first_index + warp.at(i));
  __syncwarp();
}

/// Called by one thread of each block when all indices of the block are written: with the number of
/// repeats by the block that knows it, with 0 by the others. `done` counts the blocks in its upper
/// half and gets the number in its lower half. The block that is done last hands it to the host.
static __device__ void hand_over(unsigned repeats, unsigned long long* done, unsigned* count) {
  __threadfence();
  const unsigned long long before = atomicAdd(done, (1ull << 32) + repeats);
  if (before >> 32 != gridDim.x - 1) return;
  *done = 0;
  // Relaxed is enough: the host reads nothing but this number. The indices reach it by copies in
  // the stream.
  cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*count).store(
      static_cast<unsigned>(before) + repeats, cuda::memory_order_relaxed);
}

/// `tile_sums`: the number of flags of each tile. `done`: 0 before and after. `count`: in pinned
/// memory, for the host.
static __global__ void __launch_bounds__(fused_warps* warp_lanes)
    find_repeats_fused(const int* array, size_t n, int* out, unsigned tile_count,
                       TileSums tile_sums, unsigned long long* done, unsigned* count) {
  extern __shared__ RepeatWarp of_warps[];
  // By round modulo 4: a fast warp may write for the next round while a slow one still reads the
  // values for this one and for the one before.
  __shared__ unsigned warp_totals[4][fused_warps];
  __shared__ unsigned prefixes[4];
  __shared__ ArrivalSum block_total;
  // Numbers have 32 bits, as in scan/5_pipeline.cuh.
  const unsigned* in = reinterpret_cast<const unsigned*>(array);
  // It comes from a shuffle, so the compiler sees that all lanes agree on it.
  const int warp = __shfl_sync(all_lanes, static_cast<int>(threadIdx.x / warp_lanes), 0);
  const int lane = threadIdx.x % warp_lanes;
  const int warps = blockDim.x / warp_lanes;
  const unsigned tiles = (tile_count - 1 - blockIdx.x) / gridDim.x + 1;  // of this block
  auto& ring = of_warps[warp].ring;

  // The number in the array of the block's i-th tile, and the start of this warp's chunk of it.
  const auto tile_number = [&](unsigned i) { return blockIdx.x + i * gridDim.x; };
  const auto chunk_start = [&](unsigned i) {
    return (size_t{tile_number(i)} * warps + warp) * chunk_items;
  };
  // The number of flags that the warps below `end` have found in it.
  const auto total_before = [&](unsigned i, int end) {
    return warp_sum(lane < end ? warp_totals[i % 4][lane] : 0);
  };

  const auto ask_for = [&](unsigned i) {
    if (i < tiles) ring.start(i, in, n, chunk_start(i), lane);
  };
  // Waits for the numbers, returns their flags, and asks for those that take their place. The last
  // warp of the block to come here publishes how many flags the tile has.
  const auto take_flags = [&](unsigned i) {
    ring.wait(i);
    const unsigned flags = repeat_flags(ring.numbers(i), n, chunk_start(i), lane);
    __syncwarp();  // every lane is done with the numbers
    ask_for(i + fused_buffers);
    const unsigned sum = warp_sum(__popc(flags));
    if (lane == 0) {
      warp_totals[i % 4][warp] = sum;
      unsigned total;
      if (block_total.arrive(sum, warps, total)) tile_sums.publish(tile_number(i), total);
    }
    __syncwarp();
    return flags;
  };
  // The number of flags in the tiles from the block's tile before to this one: a sum per block,
  // published long ago.
  const auto flags_since_tile_before = [&](unsigned i) {
    const unsigned tile = tile_number(i);
    const unsigned tile_before = tile < gridDim.x ? 0 : tile - gridDim.x;
    return tile_sums.total(tile_before, tile, lane);
  };

  ring.make_ready(lane);
  for (unsigned i = 0; i < fused_buffers; ++i) ask_for(i);
  if (threadIdx.x == 0) block_total = {};
  __syncthreads();

  // Timeline of a block. `i`: its i-th tile; all warps meet at the barrier ||.
  //
  //   round  every warp                           warp 0              ||  every warp
  //     0    flags of tile 0, asks for tile 2                         ||
  //     1    flags of tile 1, asks for tile 3     polls prefix of 0   ||  writes indices of 0
  //     2    flags of tile 2, asks for tile 4     polls prefix of 1   ||  writes indices of 1
  //     3    flags of tile 3, asks for tile 5     polls prefix of 2   ||  writes indices of 2
  //
  unsigned flags_before = 0;  // of tile i-1
  unsigned prefix = 0;        // of tile i-1; only warp 0 uses it
  for (unsigned i = 0; i <= tiles; ++i) {
    unsigned flags = 0;
    if (i < tiles) flags = take_flags(i);
    if (i > 0 && warp == 0) {
      prefix += flags_since_tile_before(i - 1);
      if (lane == 0) prefixes[i % 4] = prefix;
    }
    __syncthreads();
    if (i > 0)
      write_repeats(flags_before, static_cast<unsigned>(chunk_start(i - 1)),
                    prefixes[i % 4] + total_before(i - 1, warp), out, of_warps[warp], lane);
    flags_before = flags;
  }
  __syncthreads();
  if (warp != 0) return;

  const bool has_last_tile = tile_number(tiles - 1) + 1 == tile_count;
  unsigned repeats = 0;  // in the whole array
  if (has_last_tile) repeats = prefix + total_before(tiles - 1, warps);
  if (lane == 0) hand_over(repeats, done, count);
}

class FusedRepeats {
 public:
  /// Scratch memory: one word per tile of the smallest tiles that may be chosen, and what brings
  /// the count to the host.
  explicit FusedRepeats(size_t max_n)
      : tile_sums_(div_up(max_n, 4 * chunk_items)), done_(1), count_(1) {
    HANDLE_ERROR(cudaMemset(done_.get(), 0, done_.bytes()));
    HANDLE_ERROR(cudaFuncSetAttribute(find_repeats_fused,
                                      cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      max_warps_ * sizeof(RepeatWarp)));
    HANDLE_ERROR(cudaDeviceSynchronize());  // `done` is 0 for launches in any stream
  }

  size_t run(const int* in, size_t n, int* out, cudaStream_t stream = nullptr) {
    if (n < 2) return 0;
    // As few rounds as fit, of as few warps as make them full: a multiple of four.
    const size_t share = div_up(div_up(n, processors_), chunk_items);  // of a block, in chunks
    const size_t rounds = div_up(share, max_warps_);
    const int warps = 4 * static_cast<int>(div_up(share, 4 * rounds));
    auto tiles = static_cast<unsigned>(div_up(n, size_t(warps) * chunk_items));
    unsigned* count = count_.get();
    unsigned long long* done = done_.get();
    TileSums tile_sums = tile_sums_.next_launch(stream);
    void* arguments[] = {&in, &n, &out, &tiles, &tile_sums, &done, &count};
    const std::atomic_ref<unsigned> found(*count);
    found.store(no_count, std::memory_order_relaxed);
    HANDLE_ERROR(cudaLaunchCooperativeKernel(find_repeats_fused, std::min(tiles, processors_),
                                             warps * warp_lanes, arguments,
                                             warps * sizeof(RepeatWarp), stream));
    // The last block writes the count into pinned memory. Polling it there takes less time than
    // synchronizing. After a million polls the kernel is slow, or has failed.
    for (int look = 0; look < 1'000'000; ++look) {
      const unsigned repeats = found.load(std::memory_order_relaxed);
      if (repeats != no_count) return repeats;
    }
    HANDLE_ERROR(cudaStreamSynchronize(stream));
    return *count;
  }

 private:
  static constexpr unsigned no_count = 0xffffffffu;  // there are fewer indices than that

  /// The number that fits in shared memory besides the kernel's own; a multiple of four.
  static int max_warps() {
    const int for_warps = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) - 2048;
    const int fitting = for_warps / sizeof(RepeatWarp);
    return std::min(fused_warps, fitting / 4 * 4);
  }

  unsigned processors_ = multiprocessors();
  int max_warps_ = max_warps();
  TileSumsMemory tile_sums_;
  DeviceMemory<unsigned long long> done_;
  PinnedMemory<unsigned> count_;
};

}  // namespace find_repeats
