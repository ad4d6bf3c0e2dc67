// exercise table - a table in constant memory: all threads read the same entry at the same time.
//
// Chapter 6 of CUDA by Example, section 6.2. Four numbers c0, c1, c2, c3 are the same for all
// threads: y = c0 + c1 * x + c2 * x * x + c3 * x * x * x. A kernel cannot write to constant memory.
// The host fills it before the launch.
//
//   ./run try table             PASS, or the first wrong element
//   ./run my_table.cu -n 50     one size only
#include "book.h"

const int threads_per_block = 128;
__constant__ int table[4];

// TODO 1: predict. If all 32 threads of a warp read table[2], constant memory serves them with one
// read. How many reads does it take if thread i reads table[i % 4]?
int reads_of_a_warp = 0;

__global__ void polynomial_kernel(const int* x, int* y, int n) {
  // TODO 2: which element is this thread's? Compute its y with the numbers of the table.
}

// The four numbers are in the host's memory, and others in each call. x and y are arrays of n
// numbers in device memory.
void polynomial(const int* numbers, const int* x, int* y, int n) {
  // TODO 3: how do the numbers get into the table? The symbol has a copy function of its own, which
  // is not cudaMemcpy. How many bytes?

  const int blocks = (n + threads_per_block - 1) / threads_per_block;
  polynomial_kernel<<<blocks, threads_per_block>>>(x, y, n);
  HANDLE_ERROR(cudaGetLastError());
}
