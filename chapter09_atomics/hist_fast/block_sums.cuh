#pragma once
// How the blocks of one launch add up their bins (4_replicated.cuh): in scratch memory that is always left
// cleared. The block that finishes last writes the result and clears the sums again.

#include <cuda_runtime.h>

#include "../hist_common.h"

/// Scratch memory between the blocks of a launch, all zero before and after it.
struct BlockSums {
  unsigned bins[bin_count];
  unsigned finished;  // how many blocks have added their bins
};

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
