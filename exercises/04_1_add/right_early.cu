// exercise add, solved with an early return and ceil().
#include <math.h>

#include "book.h"

int blocks_for_1000 = 1000 / 128 + 1;

__global__ void sum_of_pairs(const int* left, const int* right, int* sums, int count) {
  unsigned int id = threadIdx.x + blockDim.x * blockIdx.x;
  if (id >= count) {
    return;
  }
  sums[id] = left[id] + right[id];
}

void add(const int* a, const int* b, int* c, int n) {
  dim3 block(128);
  dim3 grid(ceil(n / 128.0));
  sum_of_pairs<<<grid, block>>>(a, b, c, n);
  cudaDeviceSynchronize();
}
