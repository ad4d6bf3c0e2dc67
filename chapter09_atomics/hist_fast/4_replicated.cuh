#pragma once
// Rung 4, `replicated`: every lane of a warp counts in a column of its own, and one launch does it all.
//
//   ./run hist_fast --method replicated
//
// Three ideas, each against one cost of rung 3:
//
// - Bank conflicts. Shared memory has 32 banks; word w lies in bank w % 32. With 32 copies of each bin, copy l
//   for lane l, bin b of lane l is word 32 b + l: bank l, whatever b is. No two lanes of a warp ever want the
//   same bank, so an addition takes one step for any input. That costs 32 KiB per block. The additions have
//   the constant 1 and no result, which compiles to one instruction (ATOMS.POPC.INC).
//
//        bank      0        1        2    ...   31
//        bin 0   lane 0   lane 1   lane 2     lane 31
//        bin 1   lane 0   lane 1   lane 2     lane 31
//        ...
//
// - Waiting for memory. A thread asks for 4 x 16 bytes at once, and where registers allow it asks for the next
//   four before it counts these.
// - Two launches. The bins of all blocks are added up in scratch memory that is always left cleared; the block
//   that finishes last writes the result and clears it again. No memset, no second kernel.
//
// Gain over `vector`: see README.md. What is left is the memory itself.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "../hist_common.h"
#include "pieces.cuh"

constexpr unsigned bin_copies = 32;        // one per lane, one per bank
constexpr unsigned vectors_in_flight = 4;  // 16-byte loads that a thread starts before it uses the first

/// Scratch memory between the blocks of a launch, all zero before and after it.
struct BlockSums {
  unsigned bins[bin_count];
  unsigned finished;  // how many blocks have added their bins
};

/// How the vectors are dealt to the blocks, in rounds of threads * vectors_in_flight vectors.
enum class Deal {
  ranges,  ///< each block gets one range
  turns    ///< round r goes to block r % blocks: the blocks stay close together in memory
};

/// What one block counts: `rounds` whole rounds, the first from vector `first` on, the next `step` vectors
/// further, and a last one, not whole, from `rest` up to `rest_end`.
struct Share {
  unsigned first, step, rounds, rest, rest_end;
};

inline __device__ Share share_of_block(Deal deal, unsigned vectors, unsigned round) {
  if (deal == Deal::ranges) {
    const auto bound = [&](unsigned block) {
      return static_cast<unsigned>(static_cast<unsigned long long>(vectors) * block / gridDim.x);
    };
    const unsigned from = bound(blockIdx.x), to = bound(blockIdx.x + 1), rounds = (to - from) / round;
    return {from, round, rounds, from + rounds * round, to};
  }
  const unsigned whole = vectors / round, mine = whole / gridDim.x + (blockIdx.x < whole % gridDim.x ? 1 : 0);
  const bool has_rest = blockIdx.x == whole % gridDim.x;  // the block whose turn it would be
  return {blockIdx.x * round, gridDim.x * round, mine, whole * round, has_rest ? vectors : whole * round};
}

/// Loads the thread's vectors of a whole round.
template <unsigned threads>
__device__ void load_round(const uint4* from, uint4 (&v)[vectors_in_flight]) {
#pragma unroll
  for (unsigned k = 0; k < vectors_in_flight; ++k) v[k] = from[k * threads + threadIdx.x];
}

/// The bins of a block: bins[value][lane] is how often that lane has met that value. Two indices on purpose:
/// with bins[32 * value + lane] the compiler makes the address of more instructions (look for `shared.add` in
/// the output of nvcc -ptx), and there are 105 million addresses.
using Bins = unsigned[bin_count][bin_copies];

/// Counts 16 bytes in the lane's column.
inline __device__ void count_in_column(Bins& bins, unsigned lane, uint4 v) {
  const unsigned words[] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (const unsigned word : words) {
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) atomicAdd(&bins[(word >> shift) & 255][lane], 1u);
  }
}

template <unsigned threads>
__device__ void count_round(Bins& bins, unsigned lane, const uint4 (&v)[vectors_in_flight]) {
#pragma unroll
  for (unsigned k = 0; k < vectors_in_flight; ++k) count_in_column(bins, lane, v[k]);
}

/// Adds `count` of bin `threadIdx.x` (threads 0 to 255) to the sums of all blocks. The last block to do so
/// writes the histogram and clears the sums for the next launch.
inline __device__ void finish(unsigned count, BlockSums* sums, unsigned* histogram) {
  __shared__ bool is_last;
  const unsigned bin = threadIdx.x;
  if (bin < bin_count && count > 0) atomicAdd(&sums->bins[bin], count);
  __threadfence();  // the additions come before the ticket, for every thread that sees the ticket
  __syncthreads();
  // atomicInc wraps to 0 at the last ticket: the counter is ready for the next launch.
  if (threadIdx.x == 0) is_last = atomicInc(&sums->finished, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  if (bin < bin_count) histogram[bin] = atomicExch(&sums->bins[bin], 0u);
}

/// Writes the 256 bins of `histogram`. Any grid, blocks of `threads` threads; `sums` is zero before and after.
/// `ahead`: load the next round before counting this one; takes 16 registers per thread.
template <unsigned threads, Deal deal, bool ahead>
__global__ void __launch_bounds__(threads, 2)
    count_replicated(Pieces in, BlockSums* sums, unsigned* histogram) {
  static_assert(threads >= bin_count, "thread i of a block adds up bin i");
  __shared__ Bins bins;
  const unsigned lane = threadIdx.x % bin_copies;

  // The round that is not whole comes first: its loads are on their way while the bins are cleared.
  const Share share = share_of_block(deal, in.vector_count, threads * vectors_in_flight);
  uint4 rest[vectors_in_flight], now[vectors_in_flight];
  const unsigned mine = share.rest + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < vectors_in_flight; ++k)
    if (mine + k * threads < share.rest_end) rest[k] = in.vectors[mine + k * threads];
  const uint4* from = in.vectors + share.first;
  if (ahead && share.rounds > 0) load_round<threads>(from, now);

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
      if (round + 1 < share.rounds) load_round<threads>(from, next);
      count_round<threads>(bins, lane, now);
#pragma unroll
      for (unsigned k = 0; k < vectors_in_flight; ++k) now[k] = next[k];
    } else {
      load_round<threads>(from, now);
      count_round<threads>(bins, lane, now);
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
    // Fitted by measurement on an H200: 512 threads with ranges are faster at 100 MiB, 1024 threads with turns
    // at 1 GiB. (`./run hist_fast --benchmark --bytes N` with one and the other; README.md has the figures.)
    // The limit lies anywhere between.
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

  unsigned blocks_ = 2 * device_attribute(cudaDevAttrMultiProcessorCount);
  DeviceMemory<BlockSums> sums_;
};
