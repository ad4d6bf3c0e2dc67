// exercise transpose, solved with blocks of 32 x 32 threads, one element each.
#include "book.h"

int wavefronts_of_a_column = 32;

__global__ void turn(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32 * 33];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int column = blockIdx.x * 32 + tx;
  int row = blockIdx.y * 32 + ty;
  if (column < columns && row < rows) {
    tile[ty * 33 + tx] = in[row * columns + column];
  }
  __syncthreads();
  column = blockIdx.y * 32 + tx;
  row = blockIdx.x * 32 + ty;
  if (column < rows && row < columns) {
    out[row * rows + column] = tile[tx * 33 + ty];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  turn<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(in, out, rows, columns);
}
