// Each repeat takes the next free place with atomicAdd, so the list is in no order.
// plain: FAIL find_repeats, .*: output\[
// finding: only the result
#include "book.h"

const int threads_per_block = 256;

__global__ void flags_kernel(const int* input, int length, int* flags) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    flags[i] = (i < length - 1 && input[i] == input[i + 1]) ? 1 : 0;
  }
}

__global__ void scatter_kernel(const int* flags, int* counter, int length, int* output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && flags[i] == 1) {
    output[atomicAdd(counter, 1)] = i;
  }
}

int find_repeats(int* input, int length, int* output) {
  if (length < 2) return 0;
  const int blocks = (length + threads_per_block - 1) / threads_per_block;
  int* flags = nullptr;
  int* counter = nullptr;
  HANDLE_ERROR(cudaMalloc(&flags, length * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&counter, sizeof(int)));
  HANDLE_ERROR(cudaMemset(counter, 0, sizeof(int)));

  flags_kernel<<<blocks, threads_per_block>>>(input, length, flags);
  HANDLE_ERROR(cudaGetLastError());

  scatter_kernel<<<blocks, threads_per_block>>>(flags, counter, length, output);
  HANDLE_ERROR(cudaGetLastError());

  int count = 0;
  HANDLE_ERROR(cudaMemcpy(&count, counter, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(flags));
  HANDLE_ERROR(cudaFree(counter));
  return count;
}
