#pragma once
// open - open addressing with linear probing; key and value in one 64-bit word.
//
//   ./run hashtable_fast --method open
//
// There are no lists: a slot holds a key and its value. A key that finds its slot taken goes to the
// next one. One compare-and-swap writes key and value, so no thread ever sees half of a slot. Most
// keys are in the sector of 32 bytes where their search begins, so the limit is the rate of
// random sectors.
//
// A thread reads a slot before it tries to swap. A taken slot stays taken, so a read that shows
// this is final, and it costs less than a failed swap. The read may come from the L1 cache, which
// also holds the next slots of the sector. There the slot may be old; then the swap fails.
//
// Gain over buckets on an H100: insert 12.5 -> 10.7, find 20.1 -> 26.4 billion keys/s
// Insertions are slower: a list takes one exchange, a slot takes a read and a compare-and-swap, and
// a key looks at 1.5 slots on average.
//
// Needed: methods.h (not_found, blocks_for()).

#include <cstddef>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "methods.h"

namespace hashtable_fast {

using Slot = unsigned long long;       // the key in the upper half, the value in the lower
constexpr Slot empty_slot = ~Slot{0};  // no insertion writes it: its value would be not_found

/// Mixes the bits of a key, so that similar keys begin far apart. This is the last step of
/// MurmurHash3 (Appleby). Different keys get different results.
inline __host__ __device__ unsigned mixed_bits(unsigned key) {
  key = (key ^ (key >> 16)) * 0x85ebca6bu;
  key = (key ^ (key >> 13)) * 0xc2b2ae35u;
  return key ^ (key >> 16);
}

/// The slot at which the search for a key begins: 0 to slots - 1. slots <= 2^32.
inline __host__ __device__ size_t first_slot(unsigned key, size_t slots) {
  return static_cast<size_t>((Slot{mixed_bits(key)} * slots) >> 32);
}

/// Adds keys[i] with values[i], for all i < n; one of several equal keys stays. A thread per key.
/// The table must have more slots than keys.
static __global__ void insert_open(const unsigned* keys, const unsigned* values, size_t n,
                                   Slot* table, size_t slots) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  const Slot mine = (Slot{key} << 32) | values[i];
  size_t at = first_slot(key, slots);
  while (true) {
    Slot seen = __ldca(&table[at]);  // one load of 64 bits, while other threads write
    if (seen == empty_slot) seen = atomicCAS(&table[at], empty_slot, mine);
    if (seen == empty_slot || seen >> 32 == key) return;
    at = at + 1 < slots ? at + 1 : 0;
  }
}

/// values[i] = the value of keys[i], or not_found, for all i < n. A thread per key.
static __global__ void find_open(const unsigned* keys, unsigned* values, size_t n,
                                 const Slot* table, size_t slots) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  size_t at = first_slot(key, slots);
  Slot seen = table[at];
  while (seen != empty_slot && seen >> 32 != key) {
    at = at + 1 < slots ? at + 1 : 0;
    seen = table[at];
  }
  values[i] = seen == empty_slot ? not_found : static_cast<unsigned>(seen);
}

/// The number of slots of a table whose part `load` is filled by `capacity` keys: more than the
/// keys. 0 < load < 1.
inline size_t slots_for(size_t capacity, float load) {
  return static_cast<size_t>(static_cast<double>(capacity) / load) + 1;
}

class Open : public Table {
 public:
  Open(size_t capacity, float load) : table_(slots_for(capacity, load)) {}

  const DeviceMemory<Slot>& slots() const { return table_; }

  /// Makes every slot empty_slot.
  void clear() override { HANDLE_ERROR(cudaMemset(table_.get(), 0xff, table_.bytes())); }
  void insert(const unsigned* keys, const unsigned* values, size_t n) override {
    insert_open<<<blocks_for(n), threads_per_block>>>(keys, values, n, table_.get(), table_.size());
    HANDLE_ERROR(cudaGetLastError());
  }
  void find(const unsigned* keys, unsigned* values, size_t n) override {
    find_open<<<blocks_for(n), threads_per_block>>>(keys, values, n, table_.get(), table_.size());
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  DeviceMemory<Slot> table_;
};

}  // namespace hashtable_fast
