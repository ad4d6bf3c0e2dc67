#pragma once
// The limits: the number of random sectors of 32 bytes per second that the device's memory reads,
// for a find, and the number that it reads and writes back, for an insertion.

#include <cstddef>

#include "4_open.cuh"

namespace hashtable_fast {

constexpr size_t words_per_sector = 8;

/// Reads a word of a random sector per thread. `found` keeps the compiler from removing the loads;
/// the memory holds zeros, so it is never written.
static __global__ void read_sectors(const unsigned* words, size_t sectors, size_t n,
                                    unsigned* found) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i >= n) return;
  const size_t sector = first_slot(static_cast<unsigned>(i), sectors);
  if (words[words_per_sector * sector] != 0) *found = 1;
}

/// Exchanges a word of a random sector per thread, the least work of an insertion.
static __global__ void exchange_in_sectors(unsigned* words, size_t sectors, size_t n,
                                           unsigned* found) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i >= n) return;
  const size_t sector = first_slot(static_cast<unsigned>(i), sectors);
  if (atomicExch(&words[words_per_sector * sector], 0u) != 0) *found = 1;
}

}  // namespace hashtable_fast
