// exercise saxpy, solved.
#include "book.h"

__global__ void saxpy_kernel(int N, float alpha, const float* x, const float* y, float* result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  result[i] = alpha * x[i] + y[i];
}

void saxpy(int N, float alpha, const float* x, const float* y, float* result) {
  const int threads_per_block = 256;
  const int blocks = (N + threads_per_block - 1) / threads_per_block;
  const size_t bytes = N * sizeof(float);

  float* device_x = nullptr;
  float* device_y = nullptr;
  float* device_result = nullptr;
  HANDLE_ERROR(cudaMalloc(&device_x, bytes));
  HANDLE_ERROR(cudaMalloc(&device_y, bytes));
  HANDLE_ERROR(cudaMalloc(&device_result, bytes));
  HANDLE_ERROR(cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice));

  saxpy_kernel<<<blocks, threads_per_block>>>(N, alpha, device_x, device_y, device_result);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(result, device_result, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(device_x));
  HANDLE_ERROR(cudaFree(device_y));
  HANDLE_ERROR(cudaFree(device_result));
}
