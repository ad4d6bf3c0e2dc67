// exercise reduction - the sum of an array: a tree in shared memory, a barrier between its levels.
//
// Chapter 5 of CUDA by Example (the dot product). Every block adds up 256 numbers in 8 steps; then
// the sums of the blocks are added.
//
//   ./run try reduction              PASS, or what the sum should be
//   ./run my_reduction.cu -n 257     one size only
#include "book.h"

const int threads_per_block = 256;  // a power of two

__global__ void reduce_kernel(const int* input, int n, int* sum) {
  __shared__ int cache[threads_per_block];

  // TODO 1: which element is this thread's? What goes into the cache for a thread beyond the last
  // element?

  // TODO 2: half of the threads add the other half's numbers to theirs, then half of the half, ...
  // Where does the block have to wait? Why must __syncthreads() not be inside of an `if` that only
  // some threads enter?

  // TODO 3: one thread has the block's sum in cache[0]. Several blocks add to *sum: how?
}

// input is in device memory. Returns the sum.
int reduce(const int* input, int n) {
  // TODO 4: a number in device memory for the sum (what does it begin with?), the launch, the copy
  // back to the host.
  return 0;
}
