// barrier, solved.
#include "starter.h"

const int piece = 256;

__global__ void reverse_kernel(int* data) {
  __shared__ int copy[piece];
  const int i = blockIdx.x * piece + threadIdx.x;
  copy[threadIdx.x] = data[i];
  __syncthreads();
  data[i] = copy[piece - 1 - threadIdx.x];
}

void reverse(int* data, int n) {
  reverse_kernel<<<n / piece, piece>>>(data);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) { return starter::check_barrier(argc, argv, reverse); }
