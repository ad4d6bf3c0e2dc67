// exercise warp_min, solved.
#include "book.h"

const int threads_per_block = 128;
const unsigned all_lanes = 0xffffffff;
const int limit = 1000000;

int rounds = 5;

__global__ void min_kernel(const int* in, int n, int* mins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int least = i < n ? in[i] : limit;

  for (int d = 16; d > 0; d /= 2) {
    const int other = __shfl_down_sync(all_lanes, least, d);
    if (other < least) least = other;
  }

  const int lane = threadIdx.x % 32;
  if (lane == 0 && i < n) {
    mins[i / 32] = least;
  }
}

void warp_mins(const int* in, int n, int* mins) {
  const int blocks = (n + threads_per_block - 1) / threads_per_block;
  min_kernel<<<blocks, threads_per_block>>>(in, n, mins);
  HANDLE_ERROR(cudaGetLastError());
}
