// exercise table, solved.
#include "book.h"

const int threads_per_block = 128;
__constant__ int table[4];

int reads_of_a_warp = 4;

__global__ void polynomial_kernel(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int v = x[i];
    y[i] = table[0] + table[1] * v + table[2] * v * v + table[3] * v * v * v;
  }
}

void polynomial(const int* numbers, const int* x, int* y, int n) {
  HANDLE_ERROR(cudaMemcpyToSymbol(table, numbers, 4 * sizeof(int)));

  const int blocks = (n + threads_per_block - 1) / threads_per_block;
  polynomial_kernel<<<blocks, threads_per_block>>>(x, y, n);
  HANDLE_ERROR(cudaGetLastError());
}
