#pragma once
// Rung 2, `fused`: one launch that reads the array once and keeps one bit of each number.
//
// A few blocks that stay, as in scan/5_pipeline.cuh: block b handles tiles b, b + blocks, b + 2 blocks, ...,
// one per round, and runs together with all others (cooperative launch). Of each number only the flag stays,
// one bit in a register, so a tile can wait two rounds for its prefix, the number of flags before it, at no
// cost. The indices are put in order in shared memory and leave as full lines (chunk.cuh); the count goes to
// the host without a copy (count_to_host.cuh).
//
//   ./run find_repeats -n 40000000 --method fused
//
// Gain over `scan`: one pass over the array where there were five: 294 instead of 2529 microseconds for 2^28
// numbers, 96 % of the rate at which the memory copies; 11.5 instead of 23.9 for a million (H200, README.md).

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "../../common/book.h"
#include "../../common/grid.h"
#include "../device/block_scan.cuh"
#include "../device/round_barrier.cuh"
#include "../device/rounds.h"
#include "../device/tile_words.cuh"
#include "../device/warp.cuh"
#include "chunk.cuh"
#include "count_to_host.cuh"

constexpr int fused_most_warps = 24;  // without the messenger

/// `tile_count` tiles, of `chunks` chunks for each warp. `tiles`: a word per tile, in which its total is published.
/// `done`, `count`: see report_count(). Only the first `capacity` indices are written.
template <int chunks, bool with_messenger>
__global__ void __launch_bounds__((fused_most_warps + 1) * warp_lanes)
    find_repeats_fused(const int* in, std::size_t n, int* out, unsigned capacity, unsigned tile_count,
                       TileWords tiles, std::uint64_t* done, unsigned* count) {
  constexpr int most_warps = fused_most_warps;
  extern __shared__ unsigned stage_memory[];
  RepeatStage* stages = reinterpret_cast<RepeatStage*>(stage_memory);  // one per warp
  // By tile modulo 4: what belongs to tile i is read until the end of round i+2.
  __shared__ unsigned warp_totals[4][most_warps];  // flags that each warp has found
  __shared__ unsigned prefixes[4];                 // flags before the tile
  __shared__ ArrivalSum block_totals[4];           // flags in the tile, as the warps arrive
  const int warps = blockDim.x / warp_lanes - (with_messenger ? 1 : 0);
  const int lane = threadIdx.x % warp_lanes;
  // From a shuffle, so that the compiler sees that all lanes agree on it.
  const int warp = __shfl_sync(all_lanes, static_cast<int>(threadIdx.x / warp_lanes), 0);
  const bool asks = warp == (with_messenger ? warps : 0);  // for the prefixes
  const bool messenger = with_messenger && asks;
  const unsigned block = blockIdx.x, blocks = gridDim.x;
  // How many tiles this block has.
  const unsigned mine = block < tile_count ? (tile_count - 1 - block) / blocks + 1 : 0;
  // Where this warp's part of the block's i-th tile begins.
  const auto start_of = [&](unsigned i) {
    return (std::size_t{block + i * blocks} * warps + warp) * (chunks * chunk_items);
  };

  RepeatChunk ahead;
  if (!messenger && mine > 0) ahead.load(in, n, start_of(0), lane);
  if (threadIdx.x < 4) block_totals[threadIdx.x].clear();

  unsigned prefix = 0, in_all = 0;  // of the tile before; of all, if this block has the last tile
  // Asks for the prefix of this block's i-th tile: adds the totals published since its last one, one per block.
  const auto ask = [&](unsigned i) {
    const unsigned tile = block + i * blocks;
    prefix += sum_of_totals(tiles, tile < blocks ? 0 : tile - blocks, tile, lane);
    if (lane == 0) prefixes[i % 4] = prefix;
    if (tile + 1 == tile_count) in_all = prefix + warp_sum(lane < warps ? warp_totals[i % 4][lane] : 0);
  };

  // Timeline of a block. `i`: its i-th tile; all warps meet at the barrier || at the start of a round.
  //
  //   round  ||  every warp, chunk by chunk                                          messenger
  //     0    ||  flags of tile 0, asks for the numbers of 1                          -
  //     1    ||  flags of tile 1, asks for the numbers of 2                          asks prefix of 0
  //     2    ||  flags of tile 2, asks for the numbers of 3, writes indices of 0     asks prefix of 1
  //     3    ||  flags of tile 3, asks for the numbers of 4, writes indices of 1     asks prefix of 2
  //
  // The last warp to find the flags of tile i publishes the tile's total. The messenger, a warp that does
  // nothing else, asks for the prefix one round later: a round trip to the L2 cache that would cost the
  // others a microsecond per round. For a single round (with_messenger: false) warp 0 asks: there is no other
  // work meanwhile.
  if (messenger) {
    for (unsigned i = 0; i < mine + 2; ++i) {
      round_barrier();
      if (i > 0 && i <= mine) ask(i - 1);
    }
  } else {
    unsigned last[chunks] = {}, earlier[chunks] = {};  // flags of tiles i-1 and i-2
    for (unsigned i = 0; i < mine + 2; ++i) {
      if (!with_messenger && asks && i >= 2) ask(i - 2);
      round_barrier();
      unsigned place = 0, sum = 0;
      if (i >= 2) place = prefixes[(i - 2) % 4] + warp_sum(lane < warp ? warp_totals[(i - 2) % 4][lane] : 0);
#pragma unroll
      for (int c = 0; c < chunks; ++c) {
        unsigned now = 0;
        if (i < mine) {
          const std::size_t first = start_of(i) + c * chunk_items;
          now = ahead.flags(n, first, lane);
          if (c + 1 < chunks || i + 1 < mine)
            ahead.load(in, n, c + 1 < chunks ? first + chunk_items : start_of(i + 1), lane);
          now = in_order(now, lane);
          sum += __popc(now);
        }
        if (i >= 2)
          place += write_repeats(earlier[c], static_cast<unsigned>(start_of(i - 2)) + c * chunk_items, place,
                                 out, capacity, stages[warp], lane);
        earlier[c] = last[c];
        last[c] = now;
      }
      if (i < mine) {
        sum = warp_sum(sum);
        if (lane == 0) {
          unsigned total;
          warp_totals[i % 4][warp] = sum;
          if (block_totals[i % 4].arrive(sum, warps, total))
            tiles.publish(block + i * blocks, TileWords::total, total);
        }
      }
    }
  }
  __syncthreads();
  if (asks && lane == 0) report_count(done, in_all, blocks, count);
}

class FusedRepeats {
 public:
  using Kernel = void (*)(const int*, std::size_t, int*, unsigned, unsigned, TileWords, std::uint64_t*,
                          unsigned*);

  /// Scratch memory: one word per tile of the smallest tiles that may be chosen, and the way of the count.
  explicit FusedRepeats(std::size_t most)
      : processors_(multiprocessors()), words_(div_up(most, 4 * chunk_items)) {
    for (const Kernel kernel :
         {find_repeats_fused<1, false>, find_repeats_fused<1, true>, find_repeats_fused<3, true>})
      HANDLE_ERROR(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        fused_most_warps * sizeof(RepeatStage)));
  }

  std::size_t run(const int* in, std::size_t n, int* out, std::size_t capacity) {
    if (n < 2) return 0;
    // One round: as many warps as it takes, in fours, because a multiprocessor has four schedulers, and all
    // wait for the one with most.
    const int share = static_cast<int>(div_up(div_up(n, processors_), chunk_items));
    if (share <= fused_most_warps) return run(in, n, out, capacity, {1, div_up(share, 4) * 4}, false);
    // More: as many warps, of 1 or 3 chunks, as make the rounds come out even (device/rounds.h).
    return run(in, n, out, capacity, even_rounds(n, chunk_items, processors_, costs, shapes, 4), true);
  }
  /// With a shape of one's own: 1 or 3 chunks per warp, 1 without messenger, 4 to fused_most_warps warps.
  std::size_t run(const int* in, std::size_t n, int* out, std::size_t capacity, TileShape shape,
                  bool messenger) {
    const auto [chunks, warps] = shape;
    const Kernel kernel = chunks == 3 ? find_repeats_fused<3, true>
                          : messenger ? find_repeats_fused<1, true>
                                      : find_repeats_fused<1, false>;
    unsigned tiles = static_cast<unsigned>(div_up(n, std::size_t(chunks) * warps * chunk_items));
    unsigned room = static_cast<unsigned>(std::min<std::size_t>(capacity, std::numeric_limits<int>::max()));
    unsigned* count = count_.count();
    std::uint64_t* done = count_.done();
    TileWords words = words_.next_launch();
    void* arguments[] = {&in, &n, &out, &room, &tiles, &words, &done, &count};
    const unsigned blocks = std::min<unsigned>(tiles, processors_);
    count_.expect();
    HANDLE_ERROR(cudaLaunchCooperativeKernel(kernel, blocks, (warps + (messenger ? 1 : 0)) * warp_lanes,
                                             arguments, warps * sizeof(RepeatStage), 0));
    return count_.wait();
  }

  // Fitted to times measured on an H200 over all shapes and sizes. The experiment and the fit:
  //   build/gpu/benchmarks/cs418_scan_benchmark --shapes --benchmark_out=FILE --benchmark_out_format=json
  //   benchmarks/cs418_scan_fit.py FILE
  static constexpr RoundCosts costs{.ends = 2, .per_round = 17 * chunk_items};
  static constexpr std::array<TileShapes, 2> shapes{{{1, 16, fused_most_warps}, {3, 16, fused_most_warps}}};

 private:
  int processors_;
  TileWordsMemory words_;
  CountToHost count_;
};
