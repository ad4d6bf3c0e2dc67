// The count is read by the host from device memory.
// plain: the host accesses device memory.*cudaMemcpy
#include "starter.h"

const int threads_per_block = 256;

__global__ void flags_kernel(const int* input, int length, int* flags) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) flags[i] = i + 1 < length && input[i] == input[i + 1];
}

__global__ void scatter_kernel(const int* flags, const int* positions, int length, int* output) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && flags[i] == 1) output[positions[i]] = i;
}

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

int blocks_for(int threads) { return (threads + threads_per_block - 1) / threads_per_block; }

void exclusive_scan(int* input, int N, int* result) {
  int size = 1;
  while (size < N) size *= 2;
  cudaMemcpy(result, input, N * sizeof(int), cudaMemcpyDeviceToDevice);
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

int find_repeats(int* input, int length, int* output) {
  int size = 1;
  while (size < length) size *= 2;
  int *flags, *positions;
  cudaMalloc(&flags, length * sizeof(int));
  cudaMalloc(&positions, size * sizeof(int));

  flags_kernel<<<blocks_for(length), threads_per_block>>>(input, length, flags);
  exclusive_scan(flags, length, positions);
  scatter_kernel<<<blocks_for(length), threads_per_block>>>(flags, positions, length, output);

  const int count = positions[length - 1];
  cudaFree(flags);
  cudaFree(positions);
  return count;
}

int main(int argc, char** argv) { return starter::check_find_repeats(argc, argv, find_repeats); }
