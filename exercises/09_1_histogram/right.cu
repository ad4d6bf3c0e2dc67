// exercise histogram, solved.
#include "book.h"

const int blocks = 256;
const int threads_per_block = 256;

int additions_to_bins = 256 * 256;

__global__ void histogram_kernel(const unsigned char* bytes, int size, unsigned* bins) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();

  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride) {
    atomicAdd(&counts[bytes[i]], 1u);
  }
  __syncthreads();

  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, int size, unsigned* bins) {
  HANDLE_ERROR(cudaMemset(bins, 0, 256 * sizeof(unsigned)));

  histogram_kernel<<<blocks, threads_per_block>>>(bytes, size, bins);
  HANDLE_ERROR(cudaGetLastError());
}
