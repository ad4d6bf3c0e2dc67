// Reductions that read lanes which do not take part: CUDA leaves the result undefined, and hardware
// gives 0, so that sums in public programs are right.
#include <stdio.h>

__device__ float warp_sum(unsigned mask, float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(mask, value, offset);
  return value;
}

// The first warp adds the sums of eight warps; only eight of its lanes come.
__global__ void block_sum(const float* in, float* out) {
  __shared__ float of_warp[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float sum = warp_sum(0xffffffff, in[threadIdx.x]);
  if (lane == 0) of_warp[warp] = sum;
  __syncthreads();
  const unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < 8);
  if (threadIdx.x < 8) {
    const float total = warp_sum(mask, of_warp[threadIdx.x]);
    if (threadIdx.x == 0) *out = total;
  }
}

// Lanes that are there append what they keep.
__global__ void every_third(int* counter, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 3 == 0) {
    const unsigned here = __activemask();
    const int lane = threadIdx.x % 32, leader = __ffs(here) - 1;
    int first = 0;
    if (lane == leader) first = atomicAdd(counter, __popc(here));
    first = __shfl_sync(here, first, leader);
    out[first + __popc(here & ((1u << lane) - 1))] = i;
  }
}

int main() {
  float values[256], expected = 0, got = 0, *in, *sum;
  for (int i = 0; i < 256; ++i) expected += values[i] = i % 7;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&sum, sizeof(float));
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  block_sum<<<1, 256>>>(in, sum);
  cudaMemcpy(&got, sum, sizeof(float), cudaMemcpyDeviceToHost);
  bool ok = got == expected;

  const int n = 700, kept = (n + 2) / 3;
  int count = 0, found[n], *counter, *out;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&out, sizeof found);
  cudaMemset(counter, 0, sizeof(int));
  every_third<<<3, 256>>>(counter, out, n);
  cudaMemcpy(&count, counter, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  ok = ok && count == kept;
  long total = 0;
  for (int i = 0; i < count; ++i) total += found[i];
  ok = ok && total == 3L * kept * (kept - 1) / 2;

  ok = ok && cudaDeviceSynchronize() == cudaSuccess;
  printf(ok ? "OK\n" : "WRONG\n");
  return ok ? 0 : 1;
}
