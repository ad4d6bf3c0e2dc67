#pragma once
// The limits: how many random sectors of 32 bytes per second the device's memory delivers, for a
// find; and how many it delivers and takes back changed, for an insertion.

#include <cstddef>

#include "4_open.cuh"

namespace hashtable_fast {

constexpr size_t words_per_sector = 8;

/// Reads a word of a random sector per thread. `found` keeps the compiler from leaving the loads
/// out; the memory holds zeros, so it is never written.
static __global__ void read_sectors(const unsigned* words, size_t sectors, size_t n,
                                    unsigned* found) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i >= n) return;
  const size_t sector = first_slot(static_cast<unsigned>(i), sectors);
  if (words[words_per_sector * sector] != 0) *found = 1;
}

/// Exchanges a word of a random sector per thread, as an insertion does at least.
static __global__ void exchange_in_sectors(unsigned* words, size_t sectors, size_t n,
                                           unsigned* found) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i >= n) return;
  const size_t sector = first_slot(static_cast<unsigned>(i), sectors);
  if (atomicExch(&words[words_per_sector * sector], 0u) != 0) *found = 1;
}

}  // namespace hashtable_fast
