// Small pieces of device memory that were freed: kept for a while, so that a kernel that still writes there is
// found. (Large ones lose their pages, and an access to them faults.)
#pragma once

#include <cstddef>
#include <deque>

#include "allocation.h"

namespace emulated {

class FreedMemory {
 public:
  /// Takes a piece that was freed, filled with `unwritten`, and gives older ones back to the arena: to be called while
  /// device memory is open.
  void take(char* begin, const Allocation& allocation);
  /// Says which of the pieces were written to. Device memory must be open.
  void check() const;

 private:
  struct Piece {
    char* begin;
    Allocation allocation;
  };
  static void check(const Piece& piece);

  std::deque<Piece> pieces_;
  std::size_t bytes_ = 0;
};

}  // namespace emulated
