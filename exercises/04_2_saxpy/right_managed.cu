// exercise saxpy, solved with managed memory, which host and device share.
#include <cstring>

#include "book.h"

__global__ void multiply_and_add(const float* x, float* y, float alpha, int count) {
  const int id = blockDim.x * blockIdx.x + threadIdx.x;
  if (id >= count) return;
  y[id] += alpha * x[id];
}

void saxpy(int N, float alpha, const float* x, const float* y, float* result) {
  float* numbers = nullptr;  // x, and after it y
  HANDLE_ERROR(cudaMallocManaged(&numbers, 2 * N * sizeof(float)));
  std::memcpy(numbers, x, N * sizeof(float));
  std::memcpy(numbers + N, y, N * sizeof(float));
  multiply_and_add<<<N / 512 + 1, 512>>>(numbers, numbers + N, alpha, N);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());
  std::memcpy(result, numbers + N, N * sizeof(float));
  HANDLE_ERROR(cudaFree(numbers));
}
