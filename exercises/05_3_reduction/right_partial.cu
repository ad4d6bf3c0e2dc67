// exercise reduction, solved with a grid-stride loop and a sum per block, which the host adds.
#include <vector>

#include "book.h"

const int block_size = 128;

__global__ void partial_sums(const int* input, int n, int* sums) {
  __shared__ int partial[block_size];
  int sum = 0;
  for (int i = threadIdx.x + blockIdx.x * block_size; i < n; i += block_size * gridDim.x) {
    sum += input[i];
  }
  partial[threadIdx.x] = sum;
  for (int s = block_size / 2; s >= 1; s >>= 1) {
    __syncthreads();
    if (threadIdx.x < s) {
      partial[threadIdx.x] += partial[threadIdx.x + s];
    }
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

int reduce(const int* input, int n) {
  std::vector<int> sums(32);
  int* dev_sums;
  HANDLE_ERROR(cudaMalloc(&dev_sums, sums.size() * sizeof(int)));
  partial_sums<<<sums.size(), block_size>>>(input, n, dev_sums);
  HANDLE_ERROR(
      cudaMemcpy(sums.data(), dev_sums, sums.size() * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_sums));
  int total = 0;
  for (int sum : sums) total += sum;
  return total;
}
