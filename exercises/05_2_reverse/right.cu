// exercise reverse, solved.
#include "book.h"

const int piece = 256;

__global__ void reverse_kernel(int* data) {
  __shared__ int copy[piece];

  const int t = threadIdx.x;
  const int i = blockIdx.x * piece + t;
  copy[t] = data[i];

  __syncthreads();

  data[i] = copy[piece - 1 - t];
}

void reverse(int* data, int n) {
  reverse_kernel<<<n / piece, piece>>>(data);
  HANDLE_ERROR(cudaGetLastError());
}
