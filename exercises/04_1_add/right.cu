// exercise add, solved.
#include "book.h"

const int threads_per_block = 128;

int blocks_for_1000 = 8;

__global__ void add_kernel(const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

void add(const int* a, const int* b, int* c, int n) {
  const int blocks = (n + threads_per_block - 1) / threads_per_block;

  add_kernel<<<blocks, threads_per_block>>>(a, b, c, n);
  HANDLE_ERROR(cudaGetLastError());
}
