// The index lacks blockDim: the blocks compute the same elements.
// explain: race: kernel saxpy_kernel: .* both compute
#include "starter.h"

__global__ void saxpy_kernel(int N, float alpha, const float* x, const float* y, float* result) {
  const int i = blockIdx.x + threadIdx.x;
  if (i < N) result[i] = alpha * x[i] + y[i];
}

void saxpy(int N, float alpha, const float* x, const float* y, float* result) {
  const int threads_per_block = 256;
  const int blocks = (N + threads_per_block - 1) / threads_per_block;

  const size_t bytes = N * sizeof(float);
  float *device_x, *device_y, *device_result;
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  cudaMalloc(&device_result, bytes);
  cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice);

  saxpy_kernel<<<blocks, threads_per_block>>>(N, alpha, device_x, device_y, device_result);
  HANDLE_ERROR(cudaGetLastError());

  cudaMemcpy(result, device_result, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_x);
  cudaFree(device_y);
  cudaFree(device_result);
}

int main(int argc, char** argv) { return starter::check_saxpy(argc, argv, saxpy); }
