#pragma once
// sectors - a search looks at the four slots of a sector at once.
//
//   ./run hashtable_fast --method sectors
//
// A search begins at the first slot of a sector of 32 bytes. Two loads of 16 bytes fetch its four
// slots together. `open` needs up to four loads for them, one after another, and a warp waits for
// its longest search.
//
// Gain over open on an H100: insert 10.7 -> 10.9, find 26.4 -> 26.5 billion keys/s
// Little gain in a half-empty table: most searches end within the first sector anyway.
//
// Needed: 4_open.cuh (a slot, where a search begins, how many slots there are).

#include <cstddef>

#include "4_open.cuh"

namespace hashtable_fast {

constexpr size_t slots_per_sector = 4;

struct Sector {
  Slot slots[slots_per_sector];
};

/// The slots of a sector. They may come from the L1 cache and be old.
static __device__ Sector load_sector(const Slot* sector) {
  const auto* const halves = reinterpret_cast<const ulonglong2*>(sector);
  const ulonglong2 first = __ldca(&halves[0]);
  const ulonglong2 second = __ldca(&halves[1]);
  return {{first.x, first.y, second.x, second.y}};
}

/// As insert_open(), from the first slot of a sector on.
static __global__ void insert_into_sectors(const unsigned* keys, const unsigned* values, size_t n,
                                           Slot* table, size_t sectors) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  const Slot mine = (Slot{key} << 32) | values[i];
  size_t at = first_slot(key, sectors);
  while (true) {
    Slot* const sector = &table[slots_per_sector * at];
    const Sector loaded = load_sector(sector);
#pragma unroll  // keeps the loaded slots in registers
    for (size_t k = 0; k < slots_per_sector; ++k) {
      Slot seen = loaded.slots[k];
      if (seen == empty_slot) seen = atomicCAS(&sector[k], empty_slot, mine);
      if (seen == empty_slot || seen >> 32 == key) return;
    }
    at = at + 1 < sectors ? at + 1 : 0;
  }
}

/// As find_open(), from the first slot of a sector on.
static __global__ void find_in_sectors(const unsigned* keys, unsigned* values, size_t n,
                                       const Slot* table, size_t sectors) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  size_t at = first_slot(key, sectors);
  while (true) {
    const Sector loaded = load_sector(&table[slots_per_sector * at]);
#pragma unroll
    for (size_t k = 0; k < slots_per_sector; ++k) {
      const Slot seen = loaded.slots[k];
      if (seen == empty_slot || seen >> 32 == key) {
        values[i] = seen == empty_slot ? not_found : static_cast<unsigned>(seen);
        return;
      }
    }
    at = at + 1 < sectors ? at + 1 : 0;
  }
}

class Sectors : public Table {
 public:
  Sectors(size_t capacity, float load)
      : sectors_(div_up(slots_for(capacity, load), slots_per_sector)),
        table_(slots_per_sector * sectors_) {}

  /// Makes every slot empty_slot.
  void clear() override { HANDLE_ERROR(cudaMemset(table_.get(), 0xff, table_.bytes())); }
  void insert(const unsigned* keys, const unsigned* values, size_t n) override {
    insert_into_sectors<<<blocks_for(n), threads_per_block>>>(keys, values, n, table_.get(),
                                                              sectors_);
    HANDLE_ERROR(cudaGetLastError());
  }
  void find(const unsigned* keys, unsigned* values, size_t n) override {
    find_in_sectors<<<blocks_for(n), threads_per_block>>>(keys, values, n, table_.get(), sectors_);
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  size_t sectors_;
  DeviceMemory<Slot> table_;
};

}  // namespace hashtable_fast
