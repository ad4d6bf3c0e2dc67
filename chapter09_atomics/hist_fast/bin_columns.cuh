#pragma once
// A column of bins for each lane of a warp, and counting in it (4_replicated.cuh).

#include <cuda_runtime.h>

#include "../hist_common.h"

constexpr unsigned bin_copies = 32;  // one per lane, one per bank

/// The bins of a block: bins[value][lane] is how often that lane has met that value. Shared memory has 32
/// banks; word w lies in bank w % 32. Bin b of lane l is word 32 b + l, in bank l, whatever b is: an addition
/// takes one step for any input. That costs 32 KiB per block.
///
///     bank      0        1        2    ...   31
///     bin 0   lane 0   lane 1   lane 2     lane 31
///     bin 1   lane 0   lane 1   lane 2     lane 31
///
/// Two indices on purpose: with bins[32 * value + lane] the compiler makes the address of more instructions
/// (look for `shared.add` in the output of nvcc -ptx), and there are 105 million addresses.
using Bins = unsigned[bin_count][bin_copies];

/// Counts 16 bytes in the lane's column. An addition of the constant 1 whose result nobody uses compiles to
/// one instruction (ATOMS.POPC.INC).
inline __device__ void count_in_column(Bins& bins, unsigned lane, uint4 v) {
  const unsigned words[] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (const unsigned word : words) {
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) atomicAdd(&bins[(word >> shift) & 255][lane], 1u);
  }
}
