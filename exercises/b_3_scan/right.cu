// exercise scan, solved.
#include "book.h"

const int threads_per_block = 256;

__global__ void upsweep_kernel(int* result, int pairs, int two_d) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair < pairs) {
    int i = pair * 2 * two_d;
    result[i + 2 * two_d - 1] += result[i + two_d - 1];
  }
}

__global__ void downsweep_kernel(int* result, int pairs, int two_d) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair < pairs) {
    int i = pair * 2 * two_d;
    int t = result[i + two_d - 1];
    result[i + two_d - 1] = result[i + 2 * two_d - 1];
    result[i + 2 * two_d - 1] += t;
  }
}

void exclusive_scan(int* input, int N, int* result) {
  int size = 1;
  while (size < N) size *= 2;

  for (int two_d = 1; two_d < size / 2; two_d *= 2) {
    int pairs = size / (2 * two_d);
    int blocks = (pairs + threads_per_block - 1) / threads_per_block;
    upsweep_kernel<<<blocks, threads_per_block>>>(result, pairs, two_d);
    HANDLE_ERROR(cudaGetLastError());
  }

  HANDLE_ERROR(cudaMemset(result + size - 1, 0, sizeof(int)));

  for (int two_d = size / 2; two_d >= 1; two_d /= 2) {
    int pairs = size / (2 * two_d);
    int blocks = (pairs + threads_per_block - 1) / threads_per_block;
    downsweep_kernel<<<blocks, threads_per_block>>>(result, pairs, two_d);
    HANDLE_ERROR(cudaGetLastError());
  }
}
