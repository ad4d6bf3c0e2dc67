// exercise halo - sums of neighbors: a tile in shared memory, and the elements at its two sides.
//
// After chapter 5 of CUDA by Example (shared memory and barriers). out[i] is the sum of the seven
// elements in[i - 3] to in[i + 3]. Elements beyond the array's ends count as 0.
//
//   ./run try halo              PASS, or the first wrong element
//   ./run my_halo.cu -n 129     one size only
#include "book.h"

const int radius = 3;
const int threads_per_block = 128;

// TODO 1: predict. A block computes 128 results. How many different elements of `in` do they need?
int elements_per_block = 0;

__global__ void sum_kernel(const int* in, int* out, int n) {
  __shared__ int tile[threads_per_block + 2 * radius];

  // TODO 2: fill the tile, where tile[0] is the element 3 before the block's first. Each element is
  // read once from `in`. What belongs into the tile beyond the array's ends?

  // TODO 3: when may a thread read what others have put there? Then it adds seven elements of the
  // tile. Which threads write a result?
}

// in and out are arrays of n numbers in device memory.
void sum_neighbors(const int* in, int* out, int n) {
  const int blocks = (n + threads_per_block - 1) / threads_per_block;
  sum_kernel<<<blocks, threads_per_block>>>(in, out, n);
  HANDLE_ERROR(cudaGetLastError());
}
