#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>

#include "doubled.h"

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int last[64];
  last[threadIdx.x] = i;
  __syncthreads();
  if (i < n) out[i] = doubled(last[blockDim.x - 1 - threadIdx.x]);
}

int main() {
  int* out = nullptr;
  int host[128];
  cudaMalloc(&out, sizeof host);
  fill<<<2, 64>>>(out, 128);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 128; ++i) wrong += host[i] != 2 * (i / 64 * 64 + 63 - i % 64);
  std::puts(wrong == 0 ? "OK" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
