#pragma once
// Rung 3, `fused`: one launch that reads the array once and keeps one bit of each number.
//
// A few blocks that stay take the array's tiles in turn, one per round, as in scan/5_pipeline.cuh (cooperative
// launch). A warp looks at its part of a tile, keeps the flag of each number, one bit in a register, and forgets the
// numbers. Where the indices of the flags belong depends on the tile's prefix, the number of flags in all tiles
// before. Tiles publish how many flags they have, and one round later, while the warps look at the next tile, the
// prefix is added up from that. So the indices of a tile are written two rounds after its flags were found, and in the
// long run no block waits for another (timeline.svg in README.md, and below, in the kernel).
//
//   ./run find_repeats -n 40000000 --method fused
//
// Gain over `scan`: one pass over the array where there were five: 294 instead of 2529 microseconds for 2^28
// numbers, 96 % of the rate at which the memory copies; 11.5 instead of 23.9 for a million (H200, README.md).

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "../device/tiles.cuh"
#include "../device/warp.cuh"
#include "fused_parts.cuh"

/// `tile_count` tiles, of `chunks` chunks for each warp. `words`: a word per tile, in which its total is published.
/// `done`, `count`: see report_count(). Only the first `capacity` indices are written.
///
/// `with_messenger`: one warp of the block does nothing but poll for prefixes. A round trip to the L2 cache would cost
/// the others a microsecond per round. Where there is a single round, the first warp polls: there is no other work
/// meanwhile.
template <int chunks, bool with_messenger>
static __global__ void __launch_bounds__((fused_max_warps + 1) * warp_lanes)
    find_repeats_fused(const int* in, std::size_t n, int* out, unsigned capacity, unsigned tile_count,
                       TileWords words, std::uint64_t* done, unsigned* count) {
  extern __shared__ unsigned stage_memory[];
  RepeatStage* stages = reinterpret_cast<RepeatStage*>(stage_memory);  // one per warp
  __shared__ RoundNotes notes;
  const int warps = blockDim.x / warp_lanes - (with_messenger ? 1 : 0);
  const int lane = threadIdx.x % warp_lanes;
  // From a shuffle, so that the compiler sees that all lanes agree on it.
  const int warp = __shfl_sync(all_lanes, static_cast<int>(threadIdx.x / warp_lanes), 0);
  const bool polls = warp == (with_messenger ? warps : 0);  // for the prefixes
  const bool messenger = with_messenger && polls;
  const BlockTiles tiles(tile_count);

  RepeatWarp<chunks> mine{reinterpret_cast<const unsigned*>(in), n, tiles, warp, warps, lane, {}};
  if (!messenger) mine.begin();
  notes.clear();

  unsigned prefix = 0, in_all = 0;  // of the tile before; of all, if this block has the last tile
  // Adds to the prefix the totals published since this block's tile before, one per block: the i-th tile's prefix.
  const auto poll = [&](unsigned i) {
    const unsigned tile = tiles.number(i);
    prefix += tiles.sum_since_last(tile, words, lane);
    if (lane == 0) notes.prefixes[i % 4] = prefix;
    if (tile + 1 == tiles.all) in_all = prefix + warp_sum(lane < warps ? notes.warp_totals[i % 4][lane] : 0);
  };

  // Timeline of a block. `i`: its i-th tile; all warps meet at the barrier || at the start of a round.
  //
  //   round  ||  every warp, chunk by chunk                                          messenger
  //     0    ||  flags of tile 0, loads the numbers of 1                             -
  //     1    ||  flags of tile 1, loads the numbers of 2                             polls prefix of 0
  //     2    ||  flags of tile 2, loads the numbers of 3, writes indices of 0        polls prefix of 1
  //     3    ||  flags of tile 3, loads the numbers of 4, writes indices of 1        polls prefix of 2
  //
  // Without a messenger the first warp polls for the prefix of tile 0 when it comes to round 2.
  if (messenger) {
    for (unsigned i = 0; i < tiles.count + 2; ++i) {
      round_barrier();
      if (i > 0 && i <= tiles.count) poll(i - 1);
    }
  } else {
    unsigned last[chunks] = {}, earlier[chunks] = {};  // flags of tiles i-1 and i-2
    for (unsigned i = 0; i < tiles.count + 2; ++i) {
      if (!with_messenger && polls && i >= 2) poll(i - 2);
      round_barrier();
      // place: where the next index of tile i-2 goes. found: the flags of tile i that this lane has seen.
      unsigned place = i >= 2 ? notes.place(i - 2, warp, lane) : 0, found = 0;
#pragma unroll
      for (int c = 0; c < chunks; ++c) {
        const unsigned now = i < tiles.count ? mine.look(i, c) : 0;
        found += __popc(now);
        if (i >= 2)
          place += write_repeats(earlier[c], static_cast<unsigned>(mine.first(i - 2, c)), place, out,
                                 capacity, stages[warp], lane);
        earlier[c] = last[c];
        last[c] = now;
      }
      if (i < tiles.count) notes.tell(i, found, warp, warps, lane, words, tiles.number(i));
    }
  }
  __syncthreads();
  if (polls && lane == 0) report_count(done, in_all, tiles.blocks, count);
}

class FusedRepeats {
  static auto kernel(int chunks, bool messenger) {
    return chunks == 3 ? find_repeats_fused<3, true>
           : messenger ? find_repeats_fused<1, true>
                       : find_repeats_fused<1, false>;
  }

 public:
  /// Scratch memory: one word per tile of the smallest tiles that may be chosen, and the way of the count.
  explicit FusedRepeats(std::size_t most) : words_(div_up(most, 4 * chunk_items)), done_(1), count_(1) {
    HANDLE_ERROR(cudaMemset(done_.get(), 0, done_.bytes()));
    for (const auto any : {kernel(1, false), kernel(1, true), kernel(3, true)})
      HANDLE_ERROR(cudaFuncSetAttribute(any, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        fused_max_warps * sizeof(RepeatStage)));
    HANDLE_ERROR(cudaDeviceSynchronize());  // `done` is 0 for launches in any stream
  }

  std::size_t run(const int* in, std::size_t n, int* out, std::size_t capacity,
                  cudaStream_t stream = nullptr) {
    if (n < 2) return 0;
    // One round: as many warps as it takes, in fours, because a multiprocessor has four schedulers, and all wait for the
    // one with most. More: as many warps, of 1 or 3 chunks, as make the rounds come out even; the costs are fitted to
    // times measured on an H200 over all shapes and sizes.
    constexpr RoundCosts costs{.ends = 2, .per_round = 17 * chunk_items};
    constexpr TileShape shapes[] = {{1, 24}, {1, 20}, {1, 16}, {3, 24}, {3, 20}, {3, 16}};
    const int share = static_cast<int>(div_up(div_up(n, processors_), chunk_items));
    const bool messenger = share > fused_max_warps;
    const auto [chunks, warps] = messenger ? even_rounds(n, chunk_items, processors_, costs, shapes)
                                           : TileShape{1, div_up(share, 4) * 4};

    auto tiles = static_cast<unsigned>(div_up(n, std::size_t(chunks) * warps * chunk_items));
    auto room = static_cast<unsigned>(std::min<std::size_t>(capacity, std::numeric_limits<int>::max()));
    unsigned* count = count_.get();
    std::uint64_t* done = done_.get();
    TileWords words = words_.next_launch(stream);
    void* arguments[] = {&in, &n, &out, &room, &tiles, &words, &done, &count};
    std::atomic_ref<unsigned>(*count).store(no_count, std::memory_order_relaxed);
    HANDLE_ERROR(cudaLaunchCooperativeKernel(kernel(chunks, messenger), std::min(tiles, processors_),
                                             (warps + (messenger ? 1 : 0)) * warp_lanes, arguments,
                                             warps * sizeof(RepeatStage), stream));
    return wait(stream);
  }

 private:
  static constexpr unsigned no_count = 0xffffffffu;  // there are fewer indices than that

  /// The count, when the last block has written it into page-locked memory. That takes 1.1 to 1.8 microseconds less than
  /// cudaDeviceSynchronize() and a copy (H200, README.md). A kernel that failed never writes it, so the runtime is asked
  /// now and then.
  unsigned wait(cudaStream_t stream) const {
    const std::atomic_ref<unsigned> word(*count_.get());
    for (unsigned looks = 1;; ++looks) {
      const unsigned count = word.load(std::memory_order_relaxed);
      if (count != no_count) return count;
      if (looks % (1u << 16) != 0) continue;
      const cudaError_t state = cudaStreamQuery(stream);
      if (state == cudaErrorNotReady)
        static_cast<void>(cudaGetLastError());  // it counts as an error, but is not one
      else
        HANDLE_ERROR(state);
    }
  }

  unsigned processors_ = multiprocessors();
  TileWordsMemory words_;
  DeviceMemory<std::uint64_t> done_;
  PinnedMemory<unsigned> count_;
};
