// All levels are in one launch with __syncthreads, which does not wait for other blocks.
// plain: FAIL scan, .*: result\[
// finding: race at result[i + 2 * two_d - 1] += result[i + two_d - 1];
#include "book.h"

const int threads_per_block = 256;

__global__ void scan_kernel(int* result, int size) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;

  for (int two_d = 1; two_d < size / 2; two_d *= 2) {
    if (pair < size / (2 * two_d)) {
      int i = pair * 2 * two_d;
      result[i + 2 * two_d - 1] += result[i + two_d - 1];
    }
    __syncthreads();
  }

  if (pair == 0) result[size - 1] = 0;
  __syncthreads();

  for (int two_d = size / 2; two_d >= 1; two_d /= 2) {
    if (pair < size / (2 * two_d)) {
      int i = pair * 2 * two_d;
      int t = result[i + two_d - 1];
      result[i + two_d - 1] = result[i + 2 * two_d - 1];
      result[i + 2 * two_d - 1] += t;
    }
    __syncthreads();
  }
}

void exclusive_scan(int* input, int N, int* result) {
  int size = 1;
  while (size < N) size *= 2;

  int blocks = (size / 2 + threads_per_block - 1) / threads_per_block;
  if (blocks < 1) blocks = 1;
  scan_kernel<<<blocks, threads_per_block>>>(result, size);
  HANDLE_ERROR(cudaGetLastError());
}
