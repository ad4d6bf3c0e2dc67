// exercise number, solved.
#include "book.h"

__global__ void add_kernel(int a, int b, int* sum) { *sum = a + b; }

int add_on_device(int a, int b) {
  int result = 0;
  int* device_sum = nullptr;
  HANDLE_ERROR(cudaMalloc(&device_sum, sizeof(int)));

  add_kernel<<<1, 1>>>(a, b, device_sum);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(&result, device_sum, sizeof(int), cudaMemcpyDeviceToHost));

  HANDLE_ERROR(cudaFree(device_sum));
  return result;
}
