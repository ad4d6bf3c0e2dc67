// exercise reduction, solved.
#include "book.h"

const int threads_per_block = 256;

__global__ void reduce_kernel(const int* input, int n, int* sum) {
  __shared__ int cache[threads_per_block];

  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  cache[tid] = i < n ? input[i] : 0;
  __syncthreads();

  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (tid < half) {
      cache[tid] += cache[tid + half];
    }
    __syncthreads();
  }

  if (tid == 0) {
    atomicAdd(sum, cache[0]);
  }
}

int reduce(const int* input, int n) {
  int* device_sum = nullptr;
  HANDLE_ERROR(cudaMalloc(&device_sum, sizeof(int)));
  HANDLE_ERROR(cudaMemset(device_sum, 0, sizeof(int)));

  const int blocks = (n + threads_per_block - 1) / threads_per_block;
  reduce_kernel<<<blocks, threads_per_block>>>(input, n, device_sum);
  HANDLE_ERROR(cudaGetLastError());

  int sum = 0;
  HANDLE_ERROR(cudaMemcpy(&sum, device_sum, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(device_sum));
  return sum;
}
