// exercise histogram, solved with while loops, and no addition of a count that is 0.
#include "book.h"

int additions_to_bins = 256 * 256;

__global__ void count_bytes(const unsigned char* bytes, int size, unsigned* bins) {
  __shared__ unsigned int own[256];
  int bin = threadIdx.x;
  while (bin < 256) {
    own[bin] = 0;
    bin += blockDim.x;
  }
  __syncthreads();
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int offset = blockDim.x * gridDim.x;
  while (i < size) {
    unsigned char value = bytes[i];
    atomicInc(&own[value], 0xffffffff);
    i += offset;
  }
  __syncthreads();
  for (bin = threadIdx.x; bin < 256; bin += blockDim.x) {
    if (own[bin] > 0) {
      atomicAdd(bins + bin, own[bin]);
    }
  }
}

void histogram(const unsigned char* bytes, int size, unsigned* bins) {
  HANDLE_ERROR(cudaMemset(bins, 0, 256 * sizeof(int)));
  count_bytes<<<64, 128>>>(bytes, size, bins);
}
