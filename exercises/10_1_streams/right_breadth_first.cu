// exercise streams, solved breadth first: each operation for both halves.
#include "book.h"

int ms_with_two_streams = 3 + 1;

__global__ void square_kernel(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
}

void square(const int* in, int* out, int* data, int n, const cudaStream_t* streams) {
  int half = n / 2;
  size_t size = sizeof(int) * half;
  const int* in1 = in + half;
  int* data1 = data + half;
  int* out1 = out + half;
  cudaMemcpyAsync(data, in, size, cudaMemcpyHostToDevice, streams[0]);
  cudaMemcpyAsync(data1, in1, size, cudaMemcpyHostToDevice, streams[1]);
  square_kernel<<<half / 128 + 1, 128, 0, streams[0]>>>(data, half);
  square_kernel<<<half / 128 + 1, 128, 0, streams[1]>>>(data1, half);
  cudaMemcpyAsync(out, data, size, cudaMemcpyDeviceToHost, streams[0]);
  cudaMemcpyAsync(out1, data1, size, cudaMemcpyDeviceToHost, streams[1]);
}
