// Blocks and threads have changed places.
// plain: (invalid configuration argument|at most 1024 threads)
#include "starter.h"

__global__ void add_kernel(const int* a, const int* b, int* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void add(const int* a, const int* b, int* c, int n) {
  const int threads_per_block = 128;
  const int blocks = (n + threads_per_block - 1) / threads_per_block + 1024;

  add_kernel<<<threads_per_block, blocks>>>(a, b, c, n);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) { return starter::check_add(argc, argv, add); }
