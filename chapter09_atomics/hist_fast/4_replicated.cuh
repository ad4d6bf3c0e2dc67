#pragma once
// replicated - privatization per lane, without bank conflicts; software pipelining; one launch.
//
//   ./run hist_fast --method replicated
//
// Three ideas, each of which removes one cost of `vector`:
// - Bank conflicts: 32 copies of each bin, one per lane of a warp, so no two lanes use the same
//   bank.
// - Latency: a thread starts four 16-byte loads at once, and the next four before it counts these.
// - Two launches: the block that finishes last writes the result, and no memset precedes it.
//
// Gain over vector on an H200: 100 MiB 0.0522 -> 0.0294 ms
// The bottleneck is the memory itself.
//
// Needed: ../hist_common.h (bin_count).

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/device_memory.h"
#include "../hist_common.h"

namespace hist_fast {

constexpr unsigned replicated_threads = 512;
constexpr unsigned replicated_blocks = 2;  // per multiprocessor
constexpr unsigned loads = 4;              // that a thread starts at once
constexpr unsigned copies = 32;            // of each bin: one per lane, one per bank

/// The bins of a block: bins[value][lane] is the number of times that lane has met that value. Word
/// w of shared memory is in bank w % 32. So bin b of lane l, which is word 32 b + l, is in bank l
/// for every b: an addition needs one step for any input. The bins need 32 KiB per block.
///
///     bank      0        1        2    ...   31
///     bin 0   lane 0   lane 1   lane 2     lane 31
///     bin 1   lane 0   lane 1   lane 2     lane 31
///
/// Two indices on purpose: for bins[32 * value + lane] the compiler uses more instructions per
/// address.
using Bins = unsigned[bin_count][copies];

/// Scratch memory between the blocks of a launch, all zero before and after it.
struct BlockSums {
  unsigned bins[bin_count];
  unsigned finished;  // how many blocks have added their bins
};

/// Adds the block's bins to `sums`. Thread b adds up the copies of bin b and begins at copy b % 32.
/// So the lanes of a warp read 32 different banks at every step.
static __device__ void add_to_sums(const Bins& bins, BlockSums* sums) {
  const unsigned bin = threadIdx.x;
  if (bin >= bin_count) return;
  unsigned sum = 0;
  for (unsigned k = 0; k < copies; ++k) sum += bins[bin][(bin + k) % copies];
  if (sum > 0) atomicAdd(&sums->bins[bin], sum);
}

/// Is this the last block to add its bins? All threads call it and get the same answer.
static __device__ bool is_last_block(unsigned* finished) {
  __shared__ bool is_last;
  __threadfence();  // every thread that sees the ticket also sees the additions
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned ticket = atomicInc(finished, gridDim.x - 1);  // wraps to 0
    is_last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  return is_last;
}

/// Writes the bins of `histogram`. Any grid, blocks of replicated_threads threads.
static __global__ void __launch_bounds__(replicated_threads, replicated_blocks)
    count_replicated(const unsigned char* bytes, size_t size, BlockSums* sums,
                     unsigned* histogram) {
  __shared__ Bins bins;
  const unsigned lane = threadIdx.x % copies;

  // head | aligned vectors | tail, as in 3_vector.cuh.
  const size_t to_boundary = -reinterpret_cast<std::uintptr_t>(bytes) % sizeof(uint4);
  const size_t head = to_boundary < size ? to_boundary : size;
  const auto* const vectors = reinterpret_cast<const uint4*>(bytes + head);
  const auto count = static_cast<unsigned>((size - head) / sizeof(uint4));  // below 2^28

  // Striped assignment: a round is vectors i, i + stride, i + 2 stride, i + 3 stride.
  const unsigned stride = replicated_threads * gridDim.x;
  const unsigned round = loads * stride;
  const auto load_round = [&](unsigned first, uint4(&v)[loads]) {
#pragma unroll
    for (unsigned k = 0; k < loads; ++k)
      if (first + k * stride < count) v[k] = vectors[first + k * stride];
  };
  unsigned i = threadIdx.x + blockIdx.x * replicated_threads;
  uint4 current[loads] = {};
  uint4 next[loads] = {};
  load_round(i, current);  // in flight while the bins are cleared

  for (unsigned k = threadIdx.x; k < bin_count * copies; k += replicated_threads)
    bins[k / copies][k % copies] = 0;
  __syncthreads();

  const size_t aligned = count * sizeof(uint4);
  if (blockIdx.x == 0 && threadIdx.x < size - aligned) {
    const size_t at = threadIdx.x < head ? threadIdx.x : threadIdx.x + aligned;
    atomicAdd(&bins[bytes[at]][lane], 1u);
  }

  for (; i < count; i += round) {
    load_round(i + round, next);
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) {
      const unsigned words[] = {current[k].x, current[k].y, current[k].z, current[k].w};
      if (i + k * stride < count)
        for (const unsigned word : words)
          for (int shift = 0; shift < 32; shift += 8)
            atomicAdd(&bins[(word >> shift) & 255][lane], 1u);
      current[k] = next[k];
    }
  }
  __syncthreads();

  add_to_sums(bins, sums);
  // The last block writes the histogram and clears the sums for the next launch.
  if (!is_last_block(&sums->finished)) return;
  __threadfence();
  if (threadIdx.x < bin_count) histogram[threadIdx.x] = atomicExch(&sums->bins[threadIdx.x], 0u);
}

class ReplicatedHistogram {
 public:
  ReplicatedHistogram() : sums_(1) {
    HANDLE_ERROR(cudaMemset(sums_.get(), 0, sums_.bytes()));
    // A multiprocessor divides one memory into L1 cache and shared memory. Each block needs its
    // bins, 1 KiB that CUDA itself uses, and a few bytes for other variables: 2 KiB are enough.
    constexpr int a_little_more = 2048;
    constexpr int needed = replicated_blocks * (sizeof(Bins) + a_little_more);
    const int available = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    const int percent = 100 * needed / available + 1;  // rounded up
    HANDLE_ERROR(cudaFuncSetAttribute(
        count_replicated, cudaFuncAttributePreferredSharedMemoryCarveout, std::min(percent, 100)));
  }

  void run(const unsigned char* bytes, size_t size, unsigned* histogram,
           cudaStream_t stream = nullptr) {
    // A short input needs fewer blocks.
    const auto needed =
        static_cast<unsigned>(size / (replicated_threads * loads * sizeof(uint4)) + 1);
    count_replicated<<<std::min(blocks_, needed), replicated_threads, 0, stream>>>(
        bytes, size, sums_.get(), histogram);
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  unsigned blocks_ = replicated_blocks * multiprocessors();
  DeviceMemory<BlockSums> sums_;
};

}  // namespace hist_fast
