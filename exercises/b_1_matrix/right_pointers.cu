// exercise matrix, solved with flat tiles, and bounds in the inner loop.
#include "book.h"

#define SIDE 16

int loads_of_an_element = 64 / SIDE;

__global__ void product(const int* a, const int* b, int* c, int rows, int inner, int columns) {
  __shared__ int left[SIDE * SIDE];
  __shared__ int right[SIDE * SIDE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * blockDim.x + tx, row = blockIdx.y * blockDim.y + ty;
  int sum = 0;
  for (int step = 0; step < (inner + SIDE - 1) / SIDE; step++) {
    int done = step * SIDE;
    int count = min(SIDE, inner - done);
    __syncthreads();
    if (row < rows && tx < count) left[ty * SIDE + tx] = a[row * inner + done + tx];
    if (col < columns && ty < count) right[ty * SIDE + tx] = b[(done + ty) * columns + col];
    __syncthreads();
    if (row < rows && col < columns)
      for (int k = 0; k < count; k++) sum += left[ty * SIDE + k] * right[k * SIDE + tx];
  }
  if (row < rows && col < columns) c[row * columns + col] = sum;
}

void multiply(const int* a, const int* b, int* c, int rows, int inner, int columns) {
  dim3 grid((columns + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE);
  product<<<grid, dim3(SIDE, SIDE)>>>(a, b, c, rows, inner, columns);
}
