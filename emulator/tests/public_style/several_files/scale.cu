#include "counting.cuh"
#include "parts.h"

static __global__ void kernel(int* numbers, int n,
                              int factor) {  // the other file has one of this name, too
  __shared__ int copy[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  copy[threadIdx.x] = i < n ? numbers[i] : 0;
  __syncthreads();
  if (i >= n) return;
  numbers[i] = copy[threadIdx.x] * factor;
  count_call();
}

void scale_on_device(int* numbers, int n, int factor) {
  kernel<<<(n + 63) / 64, 64>>>(numbers, n, factor);
}
int calls_of_scale() { return counted(); }
