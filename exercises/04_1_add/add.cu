// exercise add - c = a + b: which thread adds what, and which threads must not.
//
// Chapter 4 of CUDA by Example, section 4.2.1. The loop on the CPU would be
//   for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
//
//   ./run try add            PASS, or the first wrong element
//   ./run my_add.cu -n 5     one size only
#include "book.h"

const int threads_per_block = 128;

// TODO 1: predict. How many blocks of 128 threads does it take to have a thread for each of 1000
// elements?
int blocks_for_1000 = 0;

__global__ void add_kernel(const int* a, const int* b, int* c, int n) {
  // TODO 2: which element is this thread's? Blocks are launched whole: what must the threads beyond
  // the last element do?
}

// a, b and c are arrays of n numbers in device memory.
void add(const int* a, const int* b, int* c, int n) {
  // TODO 3: how many blocks do n threads need?
  const int blocks = 1;

  add_kernel<<<blocks, threads_per_block>>>(a, b, c, n);
  HANDLE_ERROR(cudaGetLastError());
}
