// exercise reverse, solved by mirroring at the first step, in dynamic shared memory.
#include "book.h"

__global__ void mirror(int* data) {
  extern __shared__ int mirrored[];
  int* begin = data + blockIdx.x * blockDim.x;
  int last = blockDim.x - 1;
  mirrored[last - threadIdx.x] = begin[threadIdx.x];
  __syncthreads();
  begin[threadIdx.x] = mirrored[threadIdx.x];
}

void reverse(int* data, int n) {
  dim3 grid(n / 256), block(256);
  mirror<<<grid, block, 256 * sizeof(int)>>>(data);
  HANDLE_ERROR(cudaDeviceSynchronize());
}
