// exercise histogram - how often each of 256 values occurs: atomics, and a block's own counters.
//
// Chapter 9 of CUDA by Example, section 9.4. The loop on the CPU would be
//   for (int i = 0; i < size; ++i) ++bins[bytes[i]];
// If all threads add to bins, they queue for 256 counters in global memory. So each block counts
// its bytes in shared memory, and then adds its counts to bins.
//
//   ./run try histogram               PASS, or what is wrong
//   ./run my_histogram.cu -n 1000     one size only
#include "book.h"

const int blocks = 256;
const int threads_per_block = 256;  // as many as there are counters

// TODO 1: predict. 1,000,000 bytes are counted by 256 blocks. How many additions to bins are there,
// if each block adds each of its 256 counts once?
int additions_to_bins = 0;

// Each thread takes several bytes, one grid's width apart (a grid-stride loop).
__global__ void histogram_kernel(const unsigned char* bytes, int size, unsigned* bins) {
  __shared__ unsigned counts[256];
  // TODO 2: who sets the block's counters to 0, and when may others count?

  // TODO 3: count this thread's bytes. ++counts[value] reads, adds, writes. What if two threads do
  // that at the same time, and what does atomicAdd do?

  // TODO 4: add the block's counts to bins. When are they complete, and who adds which one?
}

// bytes and bins (256 of them) are in device memory.
void histogram(const unsigned char* bytes, int size, unsigned* bins) {
  // TODO 5: what is in bins before the first addition?

  histogram_kernel<<<blocks, threads_per_block>>>(bytes, size, bins);
  HANDLE_ERROR(cudaGetLastError());
}
