// exercise stride, solved with a while loop, as in the book.
#include "book.h"

int elements_of_first_thread = (5000 + 1023) / 1024;

__global__ void add_up(const int* numbers, int count, int* results) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  results[tid] = 0;
  int next = tid;
  while (next < count) {
    results[tid] += numbers[next];
    next += gridDim.x * blockDim.x;
  }
}

void sum_per_thread(const int* data, int n, int* sums, int blocks, int threads_per_block) {
  dim3 grid(blocks);
  dim3 block(threads_per_block);
  add_up<<<grid, block>>>(data, n, sums);
  HANDLE_ERROR(cudaDeviceSynchronize());
}
