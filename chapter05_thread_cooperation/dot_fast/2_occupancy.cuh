#pragma once
// occupancy - latency hiding: the book's kernel with as many blocks as the GPU holds.
//
//   ./run dot_fast --method occupancy
//
// While a warp of 1_book.cuh waits for its two loads, other warps load. The number of blocks that
// fit depends on the GPU and on the kernel's registers and shared memory. The runtime computes it.
//
// Gain over book on an H200: 2^24 elements 0.907 -> 0.0553, 2^28 elements 14.0 -> 0.585 ms

#include "../../common/book.h"
#include "../../common/device.h"
#include "1_book.cuh"

namespace dot_fast {

/// The number of blocks of `kernel` that the current device holds at a time.
template <class Kernel>
int resident_blocks(Kernel kernel, int threads) {
  int per_multiprocessor = 0;
  HANDLE_ERROR(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, threads, 0));
  return per_multiprocessor * multiprocessors();
}

class Occupancy : public Book {
 public:
  Occupancy() : Book(resident_blocks(dot_tree, book_threads)) {}
};

}  // namespace dot_fast
