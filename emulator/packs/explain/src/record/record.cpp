#include "record/record.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace emulated::explain {

namespace {

// More is forgotten, of a launch: what was only read first.
constexpr std::size_t record_max_bytes = std::size_t{384} << 20;

bool same_thread(const Stamped& a, const Stamped& b) {
  return a.block == b.block && a.thread == b.thread;
}
bool same_warp(const Stamped& a, const Stamped& b) {
  return a.block == b.block && a.thread / 32 == b.thread / 32;
}

}  // namespace

// All fields are zeros at first.
static_assert(std::is_trivially_copyable_v<Latest> && std::is_trivially_copyable_v<Marked>);

void Latest::add(const Stamped& now) {
  const auto if_other_thread = [&](const Stamped& one) {
    return same_thread(one, now) ? Stamped{} : one;
  };
  if (all.stamp == 0 || same_thread(all, now)) {
    all = now;
  } else if (same_warp(all, now)) {
    of_warp = all;
    all = now;
  } else if (all.block == now.block) {
    of_warp =
        of_block.stamp != 0 && same_warp(of_block, now) ? if_other_thread(of_block) : Stamped{};
    of_block = all;
    all = now;
  } else {
    const Stamped before = of_grid.stamp != 0 && of_grid.block == now.block ? of_grid : Stamped{};
    of_warp = before.stamp != 0 && same_warp(before, now) ? if_other_thread(before) : Stamped{};
    of_block = before.stamp != 0 && !same_warp(before, now) ? before : Stamped{};
    of_grid = all;
    all = now;
  }
}

void Latest::forget(const Stamped& own) {
  for (Stamped* const one : {&all, &of_warp, &of_block, &of_grid})
    if (same_thread(*one, own)) *one = {};
}

void* Pool::take(std::size_t bytes) {
  used_ += bytes;
  if (!free_.empty())
    if (const auto same = free_.find(bytes); same != free_.end() && !same->second.empty()) {
      void* const memory = same->second.back();
      same->second.pop_back();
      std::memset(memory, 0, bytes);
      return memory;
    }
  if (at_ + bytes > chunk_bytes) {
    if (chunk_ == chunks_.size())
      chunks_.push_back(std::make_unique_for_overwrite<char[]>(chunk_bytes));
    ++chunk_;
    at_ = 0;
  }
  void* const memory = chunks_[chunk_ - 1].get() + at_;
  at_ += bytes;
  std::memset(memory, 0, bytes);
  return memory;
}

void Pool::give_back(void* memory, std::size_t bytes) {
  used_ -= bytes;
  free_[bytes].push_back(memory);
}

void Pool::clear() {
  constexpr std::size_t kept = 64;  // chunks: a short kernel that runs often takes no new ones
  if (chunks_.size() > kept) chunks_.resize(kept);
  chunk_ = 0;
  at_ = chunk_bytes;
  free_.clear();
  used_ = 0;
}

MemoryLine& Record::find(std::uintptr_t number) {
  if (pool_.used() > record_max_bytes) make_room();
  const auto [it, is_new] = lines_.try_emplace(number);
  it->second.number = number;
  return it->second;
}

void Record::make_room() {
  recent_.fill(nullptr);
  lost_ = std::max(lost_, Lost::reads);
  for (auto it = lines_.begin(); it != lines_.end();) {
    MemoryLine& line = it->second;
    if (line.writes != nullptr || line.marked != nullptr) {
      ++it;
      continue;
    }
    const unsigned cells = line.cells();
    for (unsigned cell = 0; line.readers != nullptr && cell < cells; ++cell)
      if (line.readers[cell] != nullptr) pool_.give_back(line.readers[cell], sizeof(Latest));
    if (line.readers != nullptr) pool_.give_back(line.readers, cells * sizeof line.readers[0]);
    if (line.reads != nullptr) pool_.give_back(line.reads, cells * sizeof line.reads[0]);
    it = lines_.erase(it);
  }
  if (pool_.used() < record_max_bytes / 4 * 3) return;
  clear();
  lost_ = Lost::all;
}

template <class T>
void Record::split_column(T*& column) {
  if (column == nullptr) return;
  T* const fine = take<T>(64);
  for (unsigned byte = 0; byte < 64; ++byte) {
    if constexpr (std::is_pointer_v<T>) {
      if (column[byte / 4] == nullptr) continue;
      fine[byte] = take<std::remove_pointer_t<T>>(1);
      *fine[byte] = *column[byte / 4];
    } else {
      fine[byte] = column[byte / 4];
    }
  }
  pool_.give_back(column, 16 * sizeof(T));
  column = fine;
}

void Record::split(MemoryLine& line) {
  if (line.cell_bytes == 1) return;
  split_column(line.writes);
  split_column(line.reads);
  split_column(line.readers);
  split_column(line.marked);
  line.cell_bytes = 1;
}

void Record::add_read(MemoryLine& line, unsigned cell, const Stamped& now) {
  if (line.reads == nullptr) line.reads = take<Stamped>(line.cells());
  Stamped& only = line.reads[cell];
  if (line.readers != nullptr && line.readers[cell] != nullptr) {
    line.readers[cell]->add(now);
  } else if (only.stamp == 0 || same_thread(only, now)) {
    only = now;
  } else {
    if (line.readers == nullptr) line.readers = take<Latest*>(line.cells());
    line.readers[cell] = take<Latest>(1);
    line.readers[cell]->add(only);
    line.readers[cell]->add(now);
    only = {};
  }
}

void Record::forget_reads(MemoryLine& line, unsigned cell) {
  if (line.reads != nullptr) line.reads[cell] = {};
  if (line.readers != nullptr && line.readers[cell] != nullptr) *line.readers[cell] = {};
}

Marked& Record::marked(MemoryLine& line, unsigned cell) {
  if (line.marked == nullptr) line.marked = take<Marked*>(line.cells());
  if (line.marked[cell] == nullptr) line.marked[cell] = take<Marked>(1);
  return *line.marked[cell];
}

void Record::clear() {
  lines_.clear();
  released_.clear();
  recent_.fill(nullptr);
  pool_.clear();
  lost_ = Lost::nothing;
}

}  // namespace emulated::explain
