// hashtable_cpu - a hash table of linked lists on the CPU: each new entry becomes a list's head.
//
// CUDA by Example, appendix A (advanced atomics), section A.2, "Implementing a Hash Table". What
// many threads at once need: diff hashtable_cpu.cu hashtable.cu
// Terms (docs/glossary.md): host.
//
//   ./run hashtable_cpu
//   ./run hashtable_cpu -n 1000003 --buckets 100
//   ./run hashtable_cpu -n 200000 --skewed      few keys are frequent, and their lists long
//   ./run hashtable_cpu --check
//   ./run hashtable_cpu --output lengths.png    how long the lists are
//
// No window. What to see: the lengths of the lists; every key is in the list of its bucket.
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

// Entry i holds keys[i] and value i. heads[bucket] is the first entry of a bucket's list.
void add_to_table(size_t n, const std::uint32_t* keys, size_t buckets, std::uint32_t* heads,
                  Entry* entries) {
  for (size_t i = 0; i < n; ++i) {
    const size_t bucket = keys[i] % buckets;
    entries[i] = {keys[i], static_cast<std::uint32_t>(i), heads[bucket]};
    heads[bucket] = static_cast<std::uint32_t>(i);
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
  Options options("hashtable_cpu", Common::seed | Common::always_checked);
  size_t n = is_emulated ? 1 << 20 : 25 << 20;  // on a GPU the book's 100 MiB
  size_t buckets = 1024;
  options.add("-n", n, "keys", 0, size_t{1} << 31);
  options.add("--buckets", buckets, "lists", 1, size_t{1} << 31);
  bool skewed = false;
  options.add_flag("--skewed", skewed, "a few keys occur often, like the words of a text");
  options.add_file("--output", options.output, "draw how long the lists are: .png or .ppm");
  options.parse(argc, argv);

  Random random(options.seed);
  std::vector<std::uint32_t> keys(n);
  for (std::uint32_t& key : keys) {
    key = static_cast<std::uint32_t>(random.bits() >> 32);
    if (skewed) key = static_cast<std::uint32_t>(std::exp2(32 * random.uniform()));
  }

  std::vector<std::uint32_t> heads(buckets, 0xffffffff);  // empty lists
  std::vector<Entry> entries(n);
  const HostTimer timer;
  add_to_table(n, keys.data(), buckets, heads.data(), entries.data());
  const double ms = timer.ms();
  if (!options.check) std::printf("Time to hash, on the CPU: %.3f ms\n", ms);

  std::vector<std::uint32_t> lengths(buckets);
  const bool passed = check_table(keys, heads, entries, lengths);
  if (passed) show_lengths(options, lengths, n);
  return verdict(options.name(), passed);
}
