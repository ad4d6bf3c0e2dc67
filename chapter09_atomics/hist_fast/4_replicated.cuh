#pragma once
// Rung 4, `replicated`: every lane of a warp counts in a column of its own, and one launch does it all.
//
//   ./run hist_fast --method replicated
//
// Three ideas, each against one cost of rung 3:
//
// - Bank conflicts: 32 copies of each bin, so that no two lanes of a warp want one bank (bin_columns.cuh).
// - Waiting for memory: a thread asks for 4 x 16 bytes at once, and where registers allow it asks for the next
//   four before it counts these. share.cuh says which block counts what.
// - Two launches: the block that finishes last writes the result (block_sums.cuh). No memset before.
//
// Gain over `vector`: 0.0300 instead of 0.0523 ms for 100 MiB of random bytes (H200, README.md), and any
// other values take as long. What is left is the memory itself.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "../hist_common.h"
#include "bin_columns.cuh"
#include "block_sums.cuh"
#include "pieces.cuh"
#include "share.cuh"

constexpr unsigned vectors_in_flight = 4;  // 16-byte loads that a thread starts before it uses the first

/// Writes the 256 bins of `histogram`. Any grid, blocks of `threads` threads; `sums` is zero before and
/// after. `ahead`: load the next round before counting this one; takes 16 registers per thread.
template <unsigned threads, Deal deal, bool ahead>
__global__ void __launch_bounds__(threads, 2)
    count_replicated(Pieces in, BlockSums* sums, unsigned* histogram) {
  static_assert(threads >= bin_count, "thread i of a block adds up bin i");
  __shared__ Bins bins;
  const unsigned lane = threadIdx.x % bin_copies;
  // This thread's vectors of a whole round.
  const auto load_round = [](const uint4* first, uint4(&v)[vectors_in_flight]) {
#pragma unroll
    for (unsigned k = 0; k < vectors_in_flight; ++k) v[k] = first[k * threads + threadIdx.x];
  };
  const auto count_round = [&](const uint4(&v)[vectors_in_flight]) {
#pragma unroll
    for (unsigned k = 0; k < vectors_in_flight; ++k) count_in_column(bins, lane, v[k]);
  };

  // The round that is not whole comes first: its loads are on their way while the bins are cleared.
  const Share share = share_of_block(deal, in.vector_count, threads * vectors_in_flight);
  uint4 rest[vectors_in_flight], now[vectors_in_flight];
  const unsigned mine = share.rest + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < vectors_in_flight; ++k)
    if (mine + k * threads < share.rest_end) rest[k] = in.vectors[mine + k * threads];
  const uint4* from = in.vectors + share.first;
  if (ahead && share.rounds > 0) load_round(from, now);

  for (unsigned i = threadIdx.x; i < bin_count * bin_copies; i += threads)
    bins[i / bin_copies][i % bin_copies] = 0;
  __syncthreads();

  unsigned byte;
  if (blockIdx.x == 0 && edge_byte(in, threadIdx.x, &byte)) atomicAdd(&bins[byte][lane], 1u);
#pragma unroll
  for (unsigned k = 0; k < vectors_in_flight; ++k)
    if (mine + k * threads < share.rest_end) count_in_column(bins, lane, rest[k]);

  for (unsigned round = 0; round < share.rounds; ++round) {
    if constexpr (ahead) {
      uint4 next[vectors_in_flight];
      from += share.step;
      if (round + 1 < share.rounds) load_round(from, next);
      count_round(now);
#pragma unroll
      for (unsigned k = 0; k < vectors_in_flight; ++k) now[k] = next[k];
    } else {
      load_round(from, now);
      count_round(now);
      from += share.step;
    }
  }
  __syncthreads();

  // Thread b adds up the 32 copies of bin b. It starts at copy b % 32, so that the lanes of a warp read 32
  // different banks at every step.
  unsigned count = 0;
  if (threadIdx.x < bin_count)
    for (unsigned k = 0; k < bin_copies; ++k) count += bins[threadIdx.x][(threadIdx.x + k) % bin_copies];
  finish(count, sums, histogram);
}

class ReplicatedHistogram {
 public:
  explicit ReplicatedHistogram(std::size_t /*most*/) : sums_(1) {
    HANDLE_ERROR(cudaMemset(sums_.get(), 0, sums_.bytes()));
    let_two_blocks_fit(short_kernel);
    let_two_blocks_fit(long_kernel);
  }

  void run(const unsigned char* bytes, std::size_t size, unsigned* histogram) {
    const Pieces in(bytes, size);
    // Fitted by measurement on an H200: 512 threads with ranges are faster at 100 MiB, 1024 threads with
    // turns at 1 GiB. (`./run hist_fast --benchmark --bytes N` with one and the other; README.md has the
    // figures.) The limit lies anywhere between.
    if (size < long_input) {
      launch(short_kernel, short_threads, in, histogram);
    } else {
      launch(long_kernel, long_threads, in, histogram);
    }
  }

 private:
  using Kernel = void (*)(Pieces, BlockSums*, unsigned*);
  static constexpr std::size_t long_input = std::size_t{512} << 20;
  static constexpr unsigned short_threads = 512, long_threads = 1024;
  static constexpr Kernel short_kernel = count_replicated<short_threads, Deal::ranges, true>;
  static constexpr Kernel long_kernel = count_replicated<long_threads, Deal::turns, false>;

  // A multiprocessor divides one memory into level-1 cache and shared memory. Two blocks need 65 KiB of it.
  static void let_two_blocks_fit(Kernel kernel) {
    const int all = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    const int wanted = 2 * (static_cast<int>(bin_count * bin_copies * sizeof(unsigned)) + 2048);
    HANDLE_ERROR(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                      std::min(100, 100 * wanted / all + 1)));
  }

  void launch(Kernel kernel, unsigned threads, const Pieces& in, unsigned* histogram) {
    // A short input needs fewer blocks, but always one: for head and tail.
    const unsigned needed = std::max(1u, div_up(in.vector_count, threads * vectors_in_flight));
    kernel<<<std::min(blocks_, needed), threads>>>(in, sums_.get(), histogram);
    HANDLE_ERROR(cudaGetLastError());
  }

  unsigned blocks_ = 2 * multiprocessors();
  DeviceMemory<BlockSums> sums_;
};
