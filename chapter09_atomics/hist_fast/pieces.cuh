#pragma once
// Bytes at any address, cut so that the middle can be read 16 bytes at a time.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// bytes = head | vectors | tail. A 16-byte load must be aligned to 16 bytes, so the middle begins at the
/// first such address; up to 15 bytes stand before it and up to 15 after.
struct Pieces {
  const unsigned char* head;
  unsigned head_size;
  const uint4* vectors;
  unsigned vector_count;  ///< below 2^28: sizes go up to 4 GiB - 1
  const unsigned char* tail;
  unsigned tail_size;

  Pieces(const unsigned char* bytes, std::size_t size) : head(bytes) {
    const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(bytes) % sizeof(uint4);
    head_size = static_cast<unsigned>(std::min(size, misaligned == 0 ? 0 : sizeof(uint4) - misaligned));
    vectors = reinterpret_cast<const uint4*>(bytes + head_size);
    vector_count = static_cast<unsigned>((size - head_size) / sizeof(uint4));
    tail = bytes + head_size + std::size_t{vector_count} * sizeof(uint4);
    tail_size = static_cast<unsigned>((size - head_size) % sizeof(uint4));
  }
};

/// The byte of head and tail that belongs to thread `thread` of the first block (0 to 29, if there are so
/// many): returns whether there is one.
inline __device__ bool edge_byte(const Pieces& in, unsigned thread, unsigned* byte) {
  if (thread < in.head_size) {
    *byte = in.head[thread];
    return true;
  }
  if (thread - in.head_size < in.tail_size) {
    *byte = in.tail[thread - in.head_size];
    return true;
  }
  return false;
}
