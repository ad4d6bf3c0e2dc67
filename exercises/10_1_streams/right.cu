// exercise streams, solved.
#include "book.h"

int ms_with_two_streams = 4;

__global__ void square_kernel(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
}

void square(const int* in, int* out, int* data, int n, const cudaStream_t* streams) {
  const int half = n / 2;
  const size_t bytes = half * sizeof(int);
  const int blocks = (half + 255) / 256;
  for (int h = 0; h < 2; ++h) {
    const int first = h * half;
    HANDLE_ERROR(
        cudaMemcpyAsync(data + first, in + first, bytes, cudaMemcpyHostToDevice, streams[h]));
    square_kernel<<<blocks, 256, 0, streams[h]>>>(data + first, half);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(
        cudaMemcpyAsync(out + first, data + first, bytes, cudaMemcpyDeviceToHost, streams[h]));
  }
}
