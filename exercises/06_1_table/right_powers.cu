// exercise table, solved with powers, and a table whose address the host asks for.
#include "book.h"

__constant__ int coefficients[4];

int reads_of_a_warp = 4;

__device__ int value_at(int x) {
  int x2 = x * x;
  return coefficients[0] + coefficients[1] * x + coefficients[2] * x2 + coefficients[3] * x2 * x;
}

__global__ void evaluate(const int* x, int* y, int n) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (tid < n) {
    y[tid] = value_at(x[tid]);
  }
}

void polynomial(const int* numbers, const int* x, int* y, int n) {
  void* address = nullptr;
  HANDLE_ERROR(cudaGetSymbolAddress(&address, coefficients));
  HANDLE_ERROR(cudaMemcpy(address, numbers, sizeof(coefficients), cudaMemcpyHostToDevice));
  evaluate<<<(n + 255) / 256, 256>>>(x, y, n);
}
