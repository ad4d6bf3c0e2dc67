// Broadcast: ./run --explain docs/patterns/broadcast.cu
// Constant memory serves a warp at once if all its lanes read the same word;
// otherwise it serves one word at a time.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int threads = 256;
constexpr int blocks = 64;
__constant__ float numbers[threads] = {1, 2, 3, 4};

__global__ void same_word(float* out) {
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += numbers[i];
  out[threadIdx.x + blockIdx.x * threads] = sum;
}

__global__ void word_of_the_lane(float* out) {
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += numbers[(threadIdx.x + i) % threads];
  out[threadIdx.x + blockIdx.x * threads] = sum;
}

int main() {
  float* out;
  cudaMalloc(&out, blocks * threads * sizeof(float));
  same_word<<<blocks, threads>>>(out);
  word_of_the_lane<<<blocks, threads>>>(out);
  float first;
  const cudaError_t error = cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(out);
  return error == cudaSuccess ? 0 : 1;
}
