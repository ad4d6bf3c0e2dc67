// exercise stride, solved.
#include "book.h"

int elements_of_first_thread = 5;

__global__ void sum_kernel(const int* data, int n, int* sums) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  const int stride = blockDim.x * gridDim.x;
  for (int i = thread; i < n; i += stride) {
    sum += data[i];
  }
  sums[thread] = sum;
}

void sum_per_thread(const int* data, int n, int* sums, int blocks, int threads_per_block) {
  sum_kernel<<<blocks, threads_per_block>>>(data, n, sums);
  HANDLE_ERROR(cudaGetLastError());
}
