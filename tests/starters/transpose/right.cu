// transpose, solved.
#include "starter.h"

const int tile_size = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[tile_size][tile_size + 1];
  for (int j = threadIdx.y; j < tile_size; j += 8) {
    const int r = blockIdx.y * tile_size + j;
    const int c = blockIdx.x * tile_size + threadIdx.x;
    if (r < rows && c < columns) tile[j][threadIdx.x] = in[r * columns + c];
  }
  __syncthreads();
  for (int j = threadIdx.y; j < tile_size; j += 8) {
    const int r = blockIdx.y * tile_size + threadIdx.x;
    const int c = blockIdx.x * tile_size + j;
    if (r < rows && c < columns) out[c * rows + r] = tile[threadIdx.x][j];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  dim3 threads(tile_size, 8);
  dim3 blocks((columns + tile_size - 1) / tile_size, (rows + tile_size - 1) / tile_size);

  transpose_kernel<<<blocks, threads>>>(in, out, rows, columns);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) { return starter::check_transpose(argc, argv, transpose); }
