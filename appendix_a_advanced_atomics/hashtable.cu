// hashtable - a hash table of linked lists that many threads fill at once: a lock per list.
//
// CUDA by Example, appendix A (advanced atomics), section A.2, "A GPU Hash Table". What differs
// from a loop on the CPU: diff hashtable_cpu.cu hashtable.cu
// Terms (docs/glossary.md): atomics, fence, lane, warp, contention, grid-stride loop.
//
//   ./run hashtable
//   ./run hashtable -n 1000003 --buckets 100
//   ./run hashtable -n 200000 --skewed      few keys are frequent, and their lists long
//   ./run hashtable --check
//   ./run hashtable --output lengths.png    how long the lists are
//
// No window. What to see: the lists of hashtable_cpu, in another order. A lock per list serializes
// all insertions into that list. So the GPU gains little; hashtable_fast shows better ways.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device.h"
#include "../common/options.h"
#include "../common/random.h"
#include "../common/timing.h"
#include "hashtable_picture.h"

// Indices instead of pointers: they have the same meaning in every memory.
struct Entry {
  std::uint32_t key;
  std::uint32_t value;
  std::uint32_t next;  // the entry after this one; 0xffffffff at the end of a list
};

// A lock per list: 0 is free, 1 is taken.
__device__ void lock(int* taken) {
  while (atomicCAS(taken, 0, 1) != 0) {
  }
  __threadfence();  // the last owner's writes before its fence are visible from here on
}

__device__ void unlock(int* taken) {
  __threadfence();  // this owner's writes are visible before the lock is free
  atomicExch(taken, 0);
}

// Entry i holds keys[i] and value i. heads[bucket] is the first entry of a bucket's list.
__global__ void add_to_table(size_t n, const std::uint32_t* keys, size_t buckets,
                             std::uint32_t* heads, Entry* entries, int* locks) {
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < n; i += stride) {
    const size_t bucket = keys[i] % buckets;
    // The lanes of a warp take turns, so no two of them try to get the same lock. Before compute
    // capability 7.0 the loser's loop would keep the winner from reaching the unlock.
    for (unsigned turn = 0; turn < 32; ++turn)
      if (threadIdx.x % 32 == turn) {
        lock(&locks[bucket]);
        entries[i] = {keys[i], static_cast<std::uint32_t>(i), heads[bucket]};
        heads[bucket] = static_cast<std::uint32_t>(i);
        unlock(&locks[bucket]);
      }
  }
}

// Walks all lists: each value must be found once, with its key, in the bucket of the key.
// lengths[bucket] = the number of entries of a bucket's list.
bool check_table(const std::vector<std::uint32_t>& keys, const std::vector<std::uint32_t>& heads,
                 const std::vector<Entry>& entries, std::vector<std::uint32_t>& lengths) {
  std::vector<std::uint32_t> found(keys.size());
  std::vector<std::uint32_t> times(keys.size());
  std::vector<std::uint32_t> once(keys.size(), 1);
  size_t misplaced = 0;
  for (size_t bucket = 0; bucket < heads.size(); ++bucket) {
    std::uint32_t& length = lengths[bucket];
    std::uint32_t i = heads[bucket];
    while (i < entries.size() && length <= keys.size()) {  // a wrong list may run in a circle
      const Entry& entry = entries[i];
      i = entry.next;
      ++length;
      if (entry.key % heads.size() != bucket || entry.value >= keys.size()) {
        ++misplaced;
        continue;
      }
      found[entry.value] = entry.key;
      ++times[entry.value];
    }
  }
  if (misplaced > 0) std::fprintf(stderr, "%zu entries are in a wrong list\n", misplaced);
  return misplaced == 0 && check_equal("how often a value is found", times, once) &&
         check_equal("key", found, keys);
}

int main(int argc, char** argv) {
  Options options("hashtable",
                  Common::seed | Common::always_checked | Common::benchmark | Common::device);
  size_t n = is_emulated ? 1 << 20 : 25 << 20;  // on a GPU the book's 100 MiB
  size_t buckets = 1024;
  options.add("-n", n, "keys", 0, size_t{1} << 31);
  options.add("--buckets", buckets, "lists", 1, size_t{1} << 31);
  bool skewed = false;
  options.add_flag("--skewed", skewed, "a few keys occur often, like the words of a text");
  options.add_file("--output", options.output, "draw how long the lists are: .png or .ppm");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  Random random(options.seed);
  std::vector<std::uint32_t> keys(n);
  for (std::uint32_t& key : keys) {
    key = static_cast<std::uint32_t>(random.bits() >> 32);
    if (skewed) key = static_cast<std::uint32_t>(std::exp2(32 * random.uniform()));
  }

  std::vector<std::uint32_t> heads(buckets);
  std::vector<Entry> entries(n);
  std::uint32_t* dev_keys;
  std::uint32_t* dev_heads;
  Entry* dev_entries;
  int* locks;
  HANDLE_ERROR(cudaMalloc(&dev_keys, n * sizeof(std::uint32_t)));
  HANDLE_ERROR(cudaMalloc(&dev_heads, buckets * sizeof(std::uint32_t)));
  HANDLE_ERROR(cudaMalloc(&dev_entries, n * sizeof(Entry)));
  HANDLE_ERROR(cudaMalloc(&locks, buckets * sizeof(int)));
  HANDLE_ERROR(
      cudaMemcpy(dev_keys, keys.data(), n * sizeof(std::uint32_t), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(locks, 0, buckets * sizeof(int)));

  const auto add = [&] {
    HANDLE_ERROR(cudaMemset(dev_heads, 0xff, buckets * sizeof(std::uint32_t)));  // empty lists
    // The book's grid.
    add_to_table<<<60, 256>>>(n, dev_keys, buckets, dev_heads, dev_entries, locks);
    HANDLE_ERROR(cudaGetLastError());
  };
  EventTimer timer;
  timer.start();
  add();
  const float ms = timer.stop();
  if (!options.check) std::printf("Time to hash: %s\n", time_text(ms).c_str());
  HANDLE_ERROR(
      cudaMemcpy(heads.data(), dev_heads, buckets * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(entries.data(), dev_entries, n * sizeof(Entry), cudaMemcpyDeviceToHost));
  std::vector<std::uint32_t> lengths(buckets);
  const bool passed = check_table(keys, heads, entries, lengths);
  if (passed) show_lengths(options, lengths, n);
  if (options.benchmark && passed) print_benchmark("hash table", "a lock per list", add, 0);

  HANDLE_ERROR(cudaFree(dev_keys));
  HANDLE_ERROR(cudaFree(dev_heads));
  HANDLE_ERROR(cudaFree(dev_entries));
  HANDLE_ERROR(cudaFree(locks));
  return verdict(options.name(), passed);
}
