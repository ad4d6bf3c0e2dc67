// exercise matrix, solved.
#include "book.h"

const int tile = 16;

int loads_of_an_element = 64 / 16;

__global__ void product_kernel(const int* a, const int* b, int* c, int rows, int inner,
                               int columns) {
  __shared__ int tile_of_a[tile][tile];
  __shared__ int tile_of_b[tile][tile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int column = blockIdx.x * tile + tx;

  int sum = 0;
  for (int first = 0; first < inner; first += tile) {
    tile_of_a[ty][tx] = row < rows && first + tx < inner ? a[row * inner + first + tx] : 0;
    tile_of_b[ty][tx] =
        first + ty < inner && column < columns ? b[(first + ty) * columns + column] : 0;
    __syncthreads();

    for (int k = 0; k < tile; ++k) {
      sum += tile_of_a[ty][k] * tile_of_b[k][tx];
    }
    __syncthreads();
  }

  if (row < rows && column < columns) {
    c[row * columns + column] = sum;
  }
}

void multiply(const int* a, const int* b, int* c, int rows, int inner, int columns) {
  const dim3 threads(tile, tile);
  const dim3 blocks((columns + tile - 1) / tile, (rows + tile - 1) / tile);
  product_kernel<<<blocks, threads>>>(a, b, c, rows, inner, columns);
  HANDLE_ERROR(cudaGetLastError());
}
