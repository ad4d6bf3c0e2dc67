// Bank conflicts: ./run --explain docs/patterns/bank_conflicts.cu
// A transpose through shared memory. Words that are 32 apart are in the same bank, so a column of a
// tile of 32 columns needs 32 wavefronts. With one more, unused column they are in 32 banks.
#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <vector>

constexpr int size = 256;

template <int columns>
__global__ void transpose(float* out, const float* in) {
  __shared__ float tile[32][columns];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 32 + y) * size + blockIdx.x * 32 + x];
  __syncthreads();
  out[(blockIdx.x * 32 + y) * size + blockIdx.y * 32 + x] = tile[x][y];
}

int main() {
  float* in;
  float* out;
  cudaMalloc(&in, size * size * sizeof(float));
  cudaMalloc(&out, size * size * sizeof(float));
  std::vector<float> numbers(size * size);
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  cudaMemcpy(in, numbers.data(), size * size * sizeof(float), cudaMemcpyHostToDevice);
  transpose<32><<<dim3(size / 32, size / 32), dim3(32, 32)>>>(out, in);
  transpose<33><<<dim3(size / 32, size / 32), dim3(32, 32)>>>(out, in);
  float first;
  const cudaError_t error = cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(out);
  cudaFree(in);
  return error == cudaSuccess ? 0 : 1;
}
