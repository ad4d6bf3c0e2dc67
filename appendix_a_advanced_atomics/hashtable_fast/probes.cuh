#pragma once
// The number of slots that a find of `open` reads, counted on the host.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "4_open.cuh"

namespace hashtable_fast {

/// The slots read by many finds: the number of finds that read 1, 2, 3 to 4, 5 to 8, ... slots.
class ProbeLengths {
 public:
  void add(size_t length) {
    ++finds_[std::bit_width(length - 1)];
    ++count_;
    sum_ += static_cast<double>(length);
    longest_ = std::max(longest_, length);
  }
  double share(size_t row) const { return finds_[row] / std::max(count_, 1.0); }
  double average() const { return sum_ / std::max(count_, 1.0); }
  size_t longest() const { return longest_; }

 private:
  std::array<double, 34> finds_{};
  double count_ = 0;
  double sum_ = 0;
  size_t longest_ = 0;
};

/// Prints the number of slots that finds read in a table of `open` with these keys: finds of each
/// key, and of keys not in the table. Next to the averages are Knuth's results for evenly spread
/// keys (The Art of Computer Programming, volume 3, section 6.4).
inline void print_probes(const unsigned* keys, const unsigned* values, size_t n, float load) {
  Open table(n, load);
  table.clear();
  table.insert(keys, values, n);
  const size_t slots = table.slots().size();
  std::vector<Slot> host(slots);
  HANDLE_ERROR(
      cudaMemcpy(host.data(), table.slots().get(), table.slots().bytes(), cudaMemcpyDeviceToHost));

  ProbeLengths there;
  for (size_t at = 0; at < slots; ++at)
    if (host[at] != empty_slot) {
      const size_t first = first_slot(static_cast<unsigned>(host[at] >> 32), slots);
      there.add((at + slots - first) % slots + 1);
    }
  // Other keys begin anywhere and read up to the next empty slot. The loop goes around twice,
  // because the first slots follow the last.
  ProbeLengths others;
  size_t length = 0;
  for (size_t k = 2 * slots; k-- > 0;) {
    length = host[k % slots] == empty_slot ? 1 : length + 1;
    if (k < slots) others.add(length);
  }

  std::printf("%-24s %10s %10s\n", "slots that a find reads", "its keys", "others");
  const size_t longest = std::max(there.longest(), others.longest());
  size_t last = 1;
  for (size_t row = 0; last / 2 < longest; ++row) {
    std::string range = std::to_string(last);
    if (row > 1) range = std::to_string(last / 2 + 1) + " to " + range;
    std::printf("%-24s %8.2f %% %8.2f %%\n", range.c_str(), 100 * there.share(row),
                100 * others.share(row));
    last *= 2;
  }
  std::printf("%-24s %10.2f %10.2f\n", "average", there.average(), others.average());
  const double empty = 1 - static_cast<double>(n) / static_cast<double>(slots);
  std::printf("%-24s %10.2f %10.2f\n", "expected", (1 + 1 / empty) / 2,
              (1 + 1 / (empty * empty)) / 2);
}

}  // namespace hashtable_fast
