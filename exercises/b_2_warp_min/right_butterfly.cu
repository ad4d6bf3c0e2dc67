// exercise warp_min, solved with a butterfly: all lanes have the result in the end.
#include "book.h"

int rounds = 4 + 1;

__device__ int min_of_warp(int value) {
  for (int bit = 1; bit < 32; bit *= 2) {
    int other = __shfl_xor_sync(0xffffffff, value, bit);
    if (other < value) {
      value = other;
    }
  }
  return value;
}

__global__ void all_warps(const int* in, int n, int* mins) {
  int tid = threadIdx.x + blockIdx.x * 64;
  int value = 0x7fffffff;
  if (tid < n) value = in[tid];
  int result = min_of_warp(value);
  int lane = threadIdx.x & 31;
  if (tid < n && lane == 0) mins[tid >> 5] = result;
}

void warp_mins(const int* in, int n, int* mins) { all_warps<<<(n + 63) / 64, 64>>>(in, n, mins); }
