#pragma once
// occupancy - latency hiding: the book's kernel with as many blocks as the GPU holds.
//
//   ./run hist_fast --method occupancy
//
// A thread of `shared` loads one byte and waits for it. Other warps hide the latency. More warps on
// a multiprocessor mean more bytes in flight. The number of blocks that fit depends on the GPU and
// on the kernel's registers and shared memory. The runtime's occupancy function returns it. More
// blocks than that only wait, and each costs 256 additions to the whole histogram.
//
// Gain over shared on an H200: 100 MiB 0.593 -> 0.155 ms
// There 8 blocks fit on a multiprocessor, instead of the book's 2.
//
// Needed: 1_shared.cuh (the kernel and its launch).

#include "../../common/device.h"
#include "1_shared.cuh"

namespace hist_fast {

/// The number of blocks of `kernel` that the current device holds at a time.
template <class Kernel>
unsigned resident_blocks(Kernel kernel, int threads) {
  int per_multiprocessor = 0;
  HANDLE_ERROR(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, threads, 0));
  return per_multiprocessor * multiprocessors();
}

class OccupancyHistogram {
 public:
  void run(const unsigned char* bytes, size_t size, unsigned* histogram,
           cudaStream_t stream = nullptr) const {
    run_shared(blocks_, bytes, size, histogram, stream);
  }

 private:
  unsigned blocks_ = resident_blocks(count_shared, shared_threads);
};

}  // namespace hist_fast
