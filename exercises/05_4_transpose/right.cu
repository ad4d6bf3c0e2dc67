// exercise transpose, solved.
#include "book.h"

const int tile_size = 32;

int wavefronts_of_a_column = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[tile_size][tile_size + 1];

  const int column = blockIdx.x * tile_size + threadIdx.x;
  for (int j = threadIdx.y; j < tile_size; j += blockDim.y) {
    const int row = blockIdx.y * tile_size + j;
    if (row < rows && column < columns) {
      tile[j][threadIdx.x] = in[row * columns + column];
    }
  }
  __syncthreads();

  const int out_column = blockIdx.y * tile_size + threadIdx.x;
  for (int j = threadIdx.y; j < tile_size; j += blockDim.y) {
    const int out_row = blockIdx.x * tile_size + j;
    if (out_row < columns && out_column < rows) {
      out[out_row * rows + out_column] = tile[threadIdx.x][j];
    }
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  dim3 threads(tile_size, 8);
  dim3 blocks((columns + tile_size - 1) / tile_size, (rows + tile_size - 1) / tile_size);

  transpose_kernel<<<blocks, threads>>>(in, out, rows, columns);
  HANDLE_ERROR(cudaGetLastError());
}
