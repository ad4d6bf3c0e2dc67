// The record of accesses to memory that races are found in: for each byte who last
// wrote it, and who read it since.
//
// Four of the readers are kept: the latest, and the latest of another thread of its warp, of
// another warp of its block, of another block. What a barrier orders, it orders of all older ones
// of the same thread, warp or block, too. Where threads order by atomic operations, an older reader
// may be forgotten that a later one stands for: a race may be missed, and no thread is accused.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "order/order.h"

namespace emulated::explain {

struct Stamped {
  Moment stamp = 0;  // 0: none
  std::uint32_t block = 0;
  std::uint32_t place = 0;  // its number (places of races.cpp)
  std::uint16_t thread : 11 = 0;
  std::uint16_t races : 1 = 0;  // of a write: is it part of a race?
  std::uint8_t flags = 0;
  std::uint8_t turn = 0;  // of the loops around it: different turns have mostly different numbers

  Epoch epoch() const { return {stamp, block, thread}; }
};

struct Latest {
  Stamped all, of_warp, of_block, of_grid;
  void add(const Stamped& now);
  void forget(const Stamped& own);  // of its thread
  template <class Function>
  void for_each(Function function) const {
    for (const Stamped* one : {&all, &of_warp, &of_block, &of_grid})
      if (one->stamp != 0) function(*one);
  }
};

/// Atomic and volatile accesses to a byte or word.
struct Marked {
  Latest reads, writes;
  bool is_set = false;      // the latest write was such a one
  bool is_waited = false;   // a thread waits in a loop for its value
  Known writer;             // what the latest such writer knew, fence or not
  std::uint32_t place = 0;  // where it wrote
};

/// Memory for many objects of few sizes, all of which are given back together or by size.
class Pool {
 public:
  void* take(std::size_t bytes);  // zeros
  void give_back(void* memory, std::size_t bytes);
  void clear();
  std::size_t used() const { return used_; }

 private:
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 18;
  std::vector<std::unique_ptr<char[]>> chunks_;
  std::size_t chunk_ = 0, at_ = chunk_bytes;  // chunks in use, and of the last one
  std::unordered_map<std::size_t, std::vector<void*>> free_;
  std::size_t used_ = 0;
};

/// 64 bytes of memory: the cells of its 16 words, or of its bytes from the first
/// access on that is no whole words.
struct MemoryLine {
  std::uintptr_t number = 0;
  std::uint32_t cell_bytes = 4;
  // For each cell, once there is one of them:
  Stamped* writes = nullptr;  // plain writes
  Stamped* reads = nullptr;   // plain reads, as long as it is one thread that reads
  Latest** readers = nullptr;
  Marked** marked = nullptr;

  unsigned cells() const { return 64 / cell_bytes; }
};

class Record {
 public:
  MemoryLine& line(std::uintptr_t number) {
    MemoryLine*& recent = recent_[number % recent_.size()];
    if (recent == nullptr || recent->number != number) recent = &find(number);
    return *recent;
  }
  /// nullptr: nothing there was accessed.
  const MemoryLine* line_if_any(std::uintptr_t number) const {
    const auto it = lines_.find(number);
    return it == lines_.end() ? nullptr : &it->second;
  }
  /// The line has a cell for each byte from now on.
  void split(MemoryLine& line);
  Stamped& write(MemoryLine& line, unsigned cell) {
    if (line.writes == nullptr) line.writes = take<Stamped>(line.cells());
    return line.writes[cell];
  }
  void add_read(MemoryLine& line, unsigned cell, const Stamped& now);
  static void forget_reads(MemoryLine& line, unsigned cell);
  Marked& marked(MemoryLine& line, unsigned cell);
  /// What the word of the cell at this address holds for those who read it, for as long as
  /// something is released there; nullptr: nothing is.
  Released* released_at(std::uintptr_t cell) {
    if (released_.empty()) return nullptr;
    const auto it = released_.find(cell);
    return it == released_.end() ? nullptr : &it->second;
  }
  Released& release_at(std::uintptr_t cell) { return released_[cell]; }
  void forget_release(std::uintptr_t cell) { released_.erase(cell); }
  void clear();
  /// What did not fit into memory: nothing, reads of memory that nobody wrote, all that was older.
  enum class Lost { nothing, reads, all };
  Lost lost() const { return lost_; }

 private:
  MemoryLine& find(std::uintptr_t number);
  void make_room();

  template <class T>
  void split_column(T*& column);
  template <class T>
  T* take(std::size_t count) {
    return static_cast<T*>(pool_.take(count * sizeof(T)));
  }

  std::array<MemoryLine*, 4096> recent_{};
  std::unordered_map<std::uintptr_t, MemoryLine> lines_;
  std::unordered_map<std::uintptr_t, Released> released_;
  Pool pool_;
  Lost lost_ = Lost::nothing;
};

}  // namespace emulated::explain
