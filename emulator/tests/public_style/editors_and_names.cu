// As Visual Studio leaves a program: launches with spaces in their signs, declarations
// that only its editor reads. A function of the program's own that reads a register, and
// atomics by their standard name.
#include <device_launch_parameters.h>
#include <stdio.h>
#include <cuda/atomic>

#ifdef __INTELLISENSE__
void __syncthreads();
int atomicAdd(int*, int);
#define LAUNCH(grid, block)
#else
#define LAUNCH(grid, block) << <grid, block >> >
#endif

__device__ __forceinline__ unsigned long long __globaltimer() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

__global__ void count(int* sums, cuda::std::atomic<int>* total, cuda::std::atomic<int>* early) {
  __shared__ int sum;
  unsigned long long start = __globaltimer();
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  total->fetch_add(1);
  if (__globaltimer() < start) early->fetch_add(1);
}

int main() {
  int* sums;
  cuda::std::atomic<int>* counts;
  cudaMallocManaged((void**)&sums, 4 * sizeof(int));
  cudaMallocManaged((void**)&counts, 2 * sizeof(*counts));
  counts[0] = 0;
  counts[1] = 0;
  count<<<2, 64>>>(sums, counts, counts + 1);
  count LAUNCH(2, 64)(sums + 2, counts, counts + 1);
  cudaDeviceSynchronize();
  bool ok = cudaGetLastError() == cudaSuccess && counts[0].load() == 256 && counts[1].load() == 0;
  for (int i = 0; i < 4; ++i) ok = ok && sums[i] == 63 * 64 / 2;
  printf(ok ? "OK\n" : "WRONG\n");
  return ok ? 0 : 1;
}
