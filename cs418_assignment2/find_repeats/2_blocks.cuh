#pragma once
// blocks - stream compaction in three steps, without an array of flags.
//
// Computing a flag again costs less than keeping it in memory. The first launch counts the repeats
// in each block's tile. The scan of the counts gives the number of repeats before each tile, in one
// launch. The last launch reads the numbers again, and a scan inside the block gives the position
// of each thread's indices in the output.
//
//   ./run find_repeats -n 1000000 --method blocks
//
// Gain over scan on an H200: 10^6 numbers 0.0318 -> 0.0315, 2^28 numbers 2.55 -> 0.657 ms
// No gain at 10^6 numbers: the launches and the copy of the count to the host take most of the
// time.
// It reads 8 bytes per number and writes only the indices, where `scan` moves 24. Its bottleneck:
// the array is read twice, and adjacent threads write their indices to positions that are not
// adjacent.
//
// Needed: ../scan/2_blocks.cuh (block_prefix(), the scan inside a block), ../scan/3_lookback.cuh
// (LookbackScan, the scan in one launch).

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "../scan/2_blocks.cuh"
#include "../scan/3_lookback.cuh"

namespace find_repeats {

using scan::block_prefix;
using scan::block_threads;
using scan::block_tile;  // four numbers per thread

/// The flags of this thread's four numbers, from in[i] on: bit k says whether in[i + k] repeats.
static __device__ unsigned four_flags(const int* in, size_t n, size_t i) {
  if (i + 4 < n) {
    const int4 v = *reinterpret_cast<const int4*>(in + i);
    return unsigned{v.x == v.y} | unsigned{v.y == v.z} << 1 | unsigned{v.z == v.w} << 2 |
           unsigned{v.w == in[i + 4]} << 3;
  }
  // The array ends here: only the numbers before its last one have a successor.
  unsigned flags = 0;
  for (int k = 0; k < 3; ++k)
    if (i + k + 1 < n && in[i + k] == in[i + k + 1]) flags |= 1u << k;
  return flags;
}

/// One block per tile.
static __global__ void count_repeats(const int* in, size_t n, unsigned* counts) {
  const size_t i = size_t{blockIdx.x} * block_tile + 4 * threadIdx.x;
  unsigned total;
  block_prefix(__popc(four_flags(in, n, i)), total);
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

/// One block per tile. before[tile]: the number of repeats before it.
static __global__ void write_tile(const int* in, size_t n, const unsigned* before, int* out) {
  const size_t i = size_t{blockIdx.x} * block_tile + 4 * threadIdx.x;
  const unsigned flags = four_flags(in, n, i);
  unsigned total;
  unsigned place = before[blockIdx.x] + block_prefix(__popc(flags), total);
  for (int k = 0; k < 4; ++k) {
    if ((flags >> k & 1) == 0) continue;
    out[place] = static_cast<int>(i + k);
    ++place;
  }
}

class BlocksRepeats {
 public:
  /// Scratch memory: a count per tile, and a 0 after the last, which the scan turns into the sum.
  explicit BlocksRepeats(size_t max_n)
      : counts_(div_up(max_n, block_tile) + 1), scan_(counts_.size()), count_(1) {}

  size_t run(const int* in, size_t n, int* out, cudaStream_t stream = nullptr) {
    if (n < 2) return 0;
    const size_t tiles = div_up(n, block_tile);
    unsigned* counts = counts_.get();
    count_repeats<<<tiles + 1, block_threads, 0, stream>>>(in, n, counts);
    HANDLE_ERROR(cudaGetLastError());
    scan_.run(counts, counts, tiles + 1, stream);
    write_tile<<<tiles, block_threads, 0, stream>>>(in, n, counts, out);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpyAsync(count_.get(), counts + tiles, sizeof(unsigned),
                                 cudaMemcpyDeviceToHost, stream));
    HANDLE_ERROR(cudaStreamSynchronize(stream));
    return *count_.get();
  }

 private:
  DeviceMemory<unsigned> counts_;
  scan::LookbackScan scan_;
  PinnedMemory<unsigned> count_;
};

}  // namespace find_repeats
