// moments KIND N: at the N-th moment of the kind the program gets SIGTERM (moments.cpp).
// check_moments.sh looks how it ends.
#include <cstdio>

#include "moments.h"

__global__ void fill(int* out, bool cooperative) {
  const Counted counted = cooperative ? Counted::of_grid : Counted::own;
  if (threadIdx.x == 0) count_moments_here(blockIdx.x == 0 ? counted : Counted::none);
  out[2 * blockIdx.x + threadIdx.x] = 1;
  __syncthreads();
  atomicAdd(out + 4, out[2 * blockIdx.x + 1 - threadIdx.x]);
}

int main(int, char** arguments) {
  begin_moments(arguments[1], arguments[2]);
  int* host = nullptr;
  int* out = nullptr;
  if (cudaHostAlloc(&host, 32, cudaHostAllocMapped) != cudaSuccess) return 4;
  if (cudaHostGetDevicePointer(&out, host, 0) != cudaSuccess) return 4;
  host[4] = 0;
  launch_moment();
  fill<<<1, 2>>>(out, false);
  launch_moment();
  bool cooperative = true;
  void* arguments_of_kernel[] = {&out, &cooperative};  // two blocks, on an OS thread each
  count_moments_here(Counted::none);
  cudaLaunchCooperativeKernel((void*)fill, 2, 2, arguments_of_kernel);
  launch_moment();
  count_moments_here(Counted::of_grid);  // what the grid has left to do differs, too
  if (cudaDeviceSynchronize() != cudaSuccess) return 4;
  std::printf("%d\n", host[4]);
  return cudaFreeHost(host) == cudaSuccess ? 0 : 4;
}
