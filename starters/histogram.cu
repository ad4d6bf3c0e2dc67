// histogram - how often each of 256 values occurs: many threads add to the same counter.
//
// Chapter 9 of CUDA by Example. The loop on the CPU would be
//   for (int i = 0; i < size; ++i) ++bins[bytes[i]];
//
//   ./run @FILE@              PASS, or the first wrong counter
//   ./run @FILE@ -n 1000      one size only
#include "starter.h"

const int threads_per_block = 256;  // as many as there are counters

// A fixed number of blocks. Each thread takes several bytes, one grid's width apart (a grid-stride
// loop).
__global__ void histogram_kernel(const unsigned char* bytes, int size, unsigned* bins) {
  // TODO 1: at which byte does this thread begin, how far is it to its next one, and when does it
  // end?

  // TODO 2: ++bins[value] reads, adds, writes. What if two threads do that at the same time, and
  // what does atomicAdd do?

  // It passes now? 65,536 threads queue for 256 counters. How about counters of the block's own in
  // shared memory (who sets them to 0, who adds them up, and where do all threads of the block have
  // to wait)?
}

// bytes and bins (256 of them) are in device memory.
void histogram(const unsigned char* bytes, int size, unsigned* bins) {
  // TODO 3: what is in bins before the first count?

  histogram_kernel<<<256, threads_per_block>>>(bytes, size, bins);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) { return starter::check_histogram(argc, argv, histogram); }
