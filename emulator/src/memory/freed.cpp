#include "freed.h"

#include <algorithm>
#include <cstdio>

#include "arena.h"
#include "device/limits.h"

namespace emulated {

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kept = 0;  // AddressSanitizer keeps them itself
#else
constexpr std::size_t kept = 2 << 20;
#endif
constexpr std::size_t largest_kept = 1 << 20;

}  // namespace

void FreedMemory::take(char* begin, const Allocation& allocation) {
  if (kept == 0 || allocation.bytes > largest_kept) {
    device_arena().release(begin, allocation.bytes, allocation.capacity);
    return;
  }
  pieces_.push_back({begin, allocation});
  bytes_ += allocation.capacity;
  for (; bytes_ > kept; pieces_.pop_front()) {
    const Piece& oldest = pieces_.front();
    check(oldest);
    bytes_ -= oldest.allocation.capacity;
    device_arena().release(oldest.begin, oldest.allocation.bytes, oldest.allocation.capacity);
  }
}

void FreedMemory::check() const {
  for (const Piece& piece : pieces_) check(piece);
}

void FreedMemory::check(const Piece& piece) {
  const auto* from = reinterpret_cast<const unsigned char*>(piece.begin);
  const auto* to = from + piece.allocation.bytes;
  const auto* first = std::find_if(from, to, [](unsigned char byte) { return byte != unwritten; });
  if (first == to) return;
  std::fprintf(
      stderr,
      "error: something wrote to the %zu bytes at %p from %s after they had been freed, at byte %td first\n",
      piece.allocation.bytes, static_cast<const void*>(piece.begin), piece.allocation.what, first - from);
}

}  // namespace emulated
