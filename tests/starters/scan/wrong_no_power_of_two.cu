// The tree is as wide as the array, not as the next power of two.
// plain: n = 3: result\[
#include "starter.h"

const int threads_per_block = 256;

__global__ void upsweep_kernel(int* result, int pairs, int two_d) {
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= pairs) return;
  const int i = 2 * two_d * pair;
  result[i + 2 * two_d - 1] += result[i + two_d - 1];
}

__global__ void downsweep_kernel(int* result, int pairs, int two_d) {
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= pairs) return;
  const int i = 2 * two_d * pair;
  const int left = result[i + two_d - 1];
  result[i + two_d - 1] = result[i + 2 * two_d - 1];
  result[i + 2 * two_d - 1] += left;
}

int blocks_for(int pairs) { return (pairs + threads_per_block - 1) / threads_per_block; }

void exclusive_scan(int* input, int N, int* result) {
  const int size = N;

  for (int two_d = 1; two_d < size / 2; two_d *= 2) {
    const int pairs = size / (2 * two_d);
    upsweep_kernel<<<blocks_for(pairs), threads_per_block>>>(result, pairs, two_d);
  }
  cudaMemset(result + size - 1, 0, sizeof(int));
  for (int two_d = size / 2; two_d >= 1; two_d /= 2) {
    const int pairs = size / (2 * two_d);
    downsweep_kernel<<<blocks_for(pairs), threads_per_block>>>(result, pairs, two_d);
  }
}

int main(int argc, char** argv) { return starter::check_scan(argc, argv, exclusive_scan); }
