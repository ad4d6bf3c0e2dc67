#pragma once
// turns - the book's table: lists with a lock each, for which lanes take turns.
//
//   ./run hashtable_fast --method turns
//
// The kernel is that of ../hashtable.cu. All keys of a list wait in line for its lock. The lanes of
// a warp take turns. Otherwise a lane that waits for a lock could stop the lane that holds it. A
// find walks through a list of n / book_lists entries.
//
// Rate on an H100: insert 0.271 billion keys/s
//
// Needed: methods.h (not_found, blocks_for()).

#include <cstddef>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "methods.h"

namespace hashtable_fast {

constexpr unsigned no_entry = 0xffffffff;  // the end of a list
constexpr unsigned book_lists = 1024;

struct Entry {
  unsigned key;
  unsigned value;
  unsigned next;  // the number of the entry after this one, or no_entry
};

static __device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}

static __device__ void release(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}

/// Adds keys[i] with values[i] as entry i, for all i < n. Any grid, blocks of whole warps.
static __global__ void insert_in_turns(const unsigned* keys, const unsigned* values, size_t n,
                                       unsigned lists, unsigned* heads, Entry* entries,
                                       int* locks) {
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < n; i += stride) {
    const unsigned list = keys[i] % lists;
    for (unsigned turn = 0; turn < 32; ++turn)
      if (threadIdx.x % 32 == turn) {
        take(&locks[list]);
        entries[i] = {keys[i], values[i], heads[list]};
        heads[list] = static_cast<unsigned>(i);
        release(&locks[list]);
      }
  }
}

/// values[i] = the value of keys[i], or not_found, for all i < n. A thread per key.
static __global__ void find_in_lists(const unsigned* keys, unsigned* values, size_t n,
                                     unsigned lists, const unsigned* heads, const Entry* entries) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned at = heads[key % lists];
  while (at != no_entry && entries[at].key != key) at = entries[at].next;
  values[i] = at == no_entry ? not_found : entries[at].value;
}

/// Heads and entries on the device, and the find: the shared part of all tables of lists.
struct Lists {
  Lists(unsigned lists, size_t capacity) : heads(lists), entries(capacity) {}

  /// Makes every head no_entry.
  void clear() const { HANDLE_ERROR(cudaMemset(heads.get(), 0xff, heads.bytes())); }

  void find(const unsigned* keys, unsigned* values, size_t n) const {
    find_in_lists<<<blocks_for(n), threads_per_block>>>(keys, values, n, count(), heads.get(),
                                                        entries.get());
    HANDLE_ERROR(cudaGetLastError());
  }

  unsigned count() const { return static_cast<unsigned>(heads.size()); }

  DeviceMemory<unsigned> heads;
  DeviceMemory<Entry> entries;
};

class Turns : public Table {
 public:
  /// For `capacity` keys. The load has no effect: there are book_lists lists.
  Turns(size_t capacity, float /*load*/) : lists_(book_lists, capacity), locks_(book_lists) {
    HANDLE_ERROR(cudaMemset(locks_.get(), 0, locks_.bytes()));
  }

  void clear() override { lists_.clear(); }
  void insert(const unsigned* keys, const unsigned* values, size_t n) override {
    constexpr int book_blocks = 60;
    insert_in_turns<<<book_blocks, threads_per_block>>>(
        keys, values, n, book_lists, lists_.heads.get(), lists_.entries.get(), locks_.get());
    HANDLE_ERROR(cudaGetLastError());
  }
  void find(const unsigned* keys, unsigned* values, size_t n) override {
    lists_.find(keys, values, n);
  }

 private:
  Lists lists_;
  DeviceMemory<int> locks_;
};

}  // namespace hashtable_fast
