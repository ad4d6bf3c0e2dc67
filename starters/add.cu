// add - c = a + b: which thread adds what, and which threads must not.
//
// Chapter 4 of CUDA by Example, section 4.2.1. The loop on the CPU would be
//   for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
//
//   ./run @FILE@              PASS, or the first wrong element
//   ./run @FILE@ -n 5         one size only
#include "starter.h"

__global__ void add_kernel(const int* a, const int* b, int* c, int n) {
  // TODO 1: which element is this thread's? Blocks are launched whole: what must the threads beyond
  // the last element do?
}

// a, b and c are arrays of n numbers in device memory.
void add(const int* a, const int* b, int* c, int n) {
  const int threads_per_block = 128;
  // TODO 2: how many blocks are enough for n threads, and no fewer?
  const int blocks = 1;

  add_kernel<<<blocks, threads_per_block>>>(a, b, c, n);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) { return starter::check_add(argc, argv, add); }
