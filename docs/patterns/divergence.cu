// Divergence: ./run --explain docs/patterns/divergence.cu
// The sum of a block's numbers, as a tree. In the first kernel every second thread adds, then every
// fourth and so on, so every warp keeps running with few active lanes. In the second kernel the
// first half of the threads adds, then the first quarter and so on, so whole warps become idle.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int threads = 256;
constexpr int blocks = 64;

__global__ void interleaved(float* sums, const float* in) {
  __shared__ float s[threads];
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * threads + t];
  for (unsigned stride = 1; stride < threads; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0) {
      s[t] += s[t + stride];
    }
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

__global__ void sequential(float* sums, const float* in) {
  __shared__ float s[threads];
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * threads + t];
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) {
      s[t] += s[t + half];
    }
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

int main() {
  float* in;
  float* sums;
  cudaMalloc(&in, blocks * threads * sizeof(float));
  cudaMalloc(&sums, blocks * sizeof(float));
  const std::vector<float> ones(blocks * threads, 1.0f);
  cudaMemcpy(in, ones.data(), blocks * threads * sizeof(float), cudaMemcpyHostToDevice);
  interleaved<<<blocks, threads>>>(sums, in);
  sequential<<<blocks, threads>>>(sums, in);
  float first;
  const cudaError_t error = cudaMemcpy(&first, sums, sizeof first, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(sums);
  cudaFree(in);
  return error == cudaSuccess ? 0 : 1;
}
