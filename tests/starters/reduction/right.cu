// reduction, solved.
#include "starter.h"

const int threads_per_block = 256;

__global__ void reduce_kernel(const int* input, int n, int* sum) {
  __shared__ int cache[threads_per_block];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cache[threadIdx.x] = i < n ? input[i] : 0;
  __syncthreads();

  for (int half = threads_per_block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }

  if (threadIdx.x == 0) atomicAdd(sum, cache[0]);
}

int reduce(const int* input, int n) {
  int* device_sum;
  cudaMalloc(&device_sum, sizeof(int));
  cudaMemset(device_sum, 0, sizeof(int));

  reduce_kernel<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(input, n,
                                                                                        device_sum);

  int sum = 0;
  cudaMemcpy(&sum, device_sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device_sum);
  return sum;
}

int main(int argc, char** argv) { return starter::check_reduction(argc, argv, reduce); }
