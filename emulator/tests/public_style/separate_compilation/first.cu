// Separate compilation (nvcc -rdc=true): variables, functions and kernels of the
// device that other files define.
#include <stdio.h>

extern __device__ int calls;
extern __constant__ float factors[4];
extern __device__ float tripled(float x);
extern __global__ void add_hundred(float* numbers, int n);
float of_hidden_kernel(float* number);

__device__ int offset = 3;
__device__ float doubled(float x) { return 2 * x; }

__global__ void compute(float* numbers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  numbers[i] = tripled(i) * factors[i % 4];
  atomicAdd(&calls, 1);
}

int main() {
  const int n = 100;
  const float host_factors[4] = {1, 2, 3, 4};
  float* numbers;
  cudaMallocManaged(&numbers, n * sizeof(float));
  cudaMemcpyToSymbol(factors, host_factors, sizeof host_factors);
  compute<<<2, 64>>>(numbers, n);
  add_hundred<<<1, 128>>>(numbers, n);
  cudaDeviceSynchronize();
  int counted = 0;
  cudaMemcpyFromSymbol(&counted, calls, sizeof counted);
  bool ok = counted == 2 * n && cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < n; ++i) ok = ok && numbers[i] == (3.0f * i + 3) * (i % 4 + 1) + 100;
  ok = ok && of_hidden_kernel(numbers) == 17;
  printf(ok ? "OK\n" : "WRONG\n");
  return ok ? 0 : 1;
}
