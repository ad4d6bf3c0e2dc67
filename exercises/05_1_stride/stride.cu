// exercise stride - a grid of any size for an array of any size: a grid-stride loop.
//
// Chapter 5 of CUDA by Example, section 5.2.1 (sums of arbitrarily long vectors). A thread takes
// several elements, as far apart as the grid has threads. So neighboring threads always have
// neighboring elements.
//
//   ./run try stride             PASS, or the first wrong element
//   ./run my_stride.cu -n 50     one size only
#include "book.h"

// TODO 1: predict. A grid of 8 blocks of 128 threads works on 5000 elements. How many of them does
// its first thread take?
int elements_of_first_thread = 0;

// Thread t of the whole grid writes the sum of its elements to sums[t]. It may have none.
__global__ void sum_kernel(const int* data, int n, int* sums) {
  // TODO 2: which thread is this? Where does it begin, how far is it to its next element, when does
  // it end?
}

// data has n numbers, sums has one for each thread of the grid; both are in device memory. The grid
// has this number of blocks and of threads per block, and no other.
void sum_per_thread(const int* data, int n, int* sums, int blocks, int threads_per_block) {
  // TODO 3: launch the kernel.
}
