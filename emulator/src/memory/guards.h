// What lies after each allocation: bytes that must not be written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulated {

/// So many of them.
constexpr std::size_t min_guard_bytes = 16, max_guard_bytes = 1024;

/// The guard of one allocation. Each has bytes of its own, which differ from place to place: a
/// kernel that copies the bytes after one array to those after another, or moves them along, is
/// seen, too.
class Guard {
 public:
  Guard() = default;
  Guard(char* begin, std::size_t bytes);

  std::size_t bytes() const { return bytes_; }
  /// Which of its bytes were written: from `first` to before `last`, which are equal if none were.
  struct Damage {
    std::size_t first = 0, last = 0;
  };
  Damage damage() const;
  /// Writes its bytes again.
  void restore() const;

 private:
  char* begin_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint64_t key_ = 0;  // its first bytes
};

}  // namespace emulated
