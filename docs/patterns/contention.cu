// Contention: ./run --explain docs/patterns/contention.cu
// Histograms of bytes, most of which are the same. Atomic additions to one address wait for each
// other: in global memory those of the whole grid, in shared memory those of one block. Then global
// memory gets one addition per block and bin.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int threads = 256;
constexpr int blocks = 64;

__device__ unsigned value(unsigned i) { return i % 4 == 0 ? i / 4 % 256 : 32; }

__global__ void in_global_memory(unsigned* bins) {
  atomicAdd(&bins[value(threadIdx.x + blockIdx.x * threads)], 1u);
}

__global__ void in_shared_memory(unsigned* bins) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[value(threadIdx.x + blockIdx.x * threads)], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
  unsigned* bins;
  cudaMalloc(&bins, 256 * sizeof(unsigned));
  cudaMemset(bins, 0, 256 * sizeof(unsigned));
  in_global_memory<<<blocks, threads>>>(bins);
  in_shared_memory<<<blocks, threads>>>(bins);
  unsigned first;
  const cudaError_t error = cudaMemcpy(&first, bins, sizeof first, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(bins);
  return error == cudaSuccess ? 0 : 1;
}
