// exercise find_repeats, solved.
#include "book.h"

const int threads_per_block = 256;

__global__ void flags_kernel(const int* input, int length, int* flags) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    flags[i] = (i < length - 1 && input[i] == input[i + 1]) ? 1 : 0;
  }
}

__global__ void scatter_kernel(const int* flags, const int* positions, int length, int* output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && flags[i] == 1) {
    output[positions[i]] = i;
  }
}

int next_power(int n) {
  int size = 1;
  while (size < n) size *= 2;
  return size;
}

__global__ void upsweep_kernel(int* result, int pairs, int two_d) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= pairs) return;
  int i = 2 * two_d * pair;
  result[i + 2 * two_d - 1] += result[i + two_d - 1];
}

__global__ void downsweep_kernel(int* result, int pairs, int two_d) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= pairs) return;
  int i = 2 * two_d * pair;
  int t = result[i + two_d - 1];
  result[i + two_d - 1] = result[i + 2 * two_d - 1];
  result[i + 2 * two_d - 1] += t;
}

void exclusive_scan(int* input, int N, int* result) {
  const int size = next_power(N);
  for (int two_d = 1; two_d < size / 2; two_d *= 2) {
    int pairs = size / (2 * two_d);
    upsweep_kernel<<<(pairs + 255) / 256, 256>>>(result, pairs, two_d);
    HANDLE_ERROR(cudaGetLastError());
  }
  HANDLE_ERROR(cudaMemset(result + size - 1, 0, sizeof(int)));
  for (int two_d = size / 2; two_d >= 1; two_d /= 2) {
    int pairs = size / (2 * two_d);
    downsweep_kernel<<<(pairs + 255) / 256, 256>>>(result, pairs, two_d);
    HANDLE_ERROR(cudaGetLastError());
  }
}

int find_repeats(int* input, int length, int* output) {
  if (length < 2) return 0;
  const int blocks = (length + threads_per_block - 1) / threads_per_block;
  const size_t bytes = next_power(length) * sizeof(int);
  int* flags = nullptr;
  int* positions = nullptr;
  HANDLE_ERROR(cudaMalloc(&flags, bytes));
  HANDLE_ERROR(cudaMalloc(&positions, bytes));

  flags_kernel<<<blocks, threads_per_block>>>(input, length, flags);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemset(positions + length, 0, bytes - length * sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(positions, flags, length * sizeof(int), cudaMemcpyDeviceToDevice));
  exclusive_scan(flags, length, positions);

  scatter_kernel<<<blocks, threads_per_block>>>(flags, positions, length, output);
  HANDLE_ERROR(cudaGetLastError());

  int count = 0;
  HANDLE_ERROR(cudaMemcpy(&count, positions + length - 1, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(flags));
  HANDLE_ERROR(cudaFree(positions));
  return count;
}
