// Coalescing: ./run --explain docs/patterns/coalescing.cu
// A stencil step over a plate, as in the heat samples, then the same step with the lanes of a warp
// along a column. The report shows 4 to 5 sectors per request for the first, and one per lane for
// the second.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int size = 256;

__global__ void along_rows(float* out, const float* in) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = blockIdx.y + 1;
  if (x < 1 || x >= size - 1) return;
  out[y * size + x] = (in[y * size + x - 1] + in[y * size + x + 1] + in[(y - 1) * size + x] +
                       in[(y + 1) * size + x]) /
                      4;
}

__global__ void along_columns(float* out, const float* in) {
  const int y = threadIdx.x + blockIdx.x * blockDim.x;
  const int x = blockIdx.y + 1;
  if (y < 1 || y >= size - 1) return;
  out[y * size + x] = (in[y * size + x - 1] + in[y * size + x + 1] + in[(y - 1) * size + x] +
                       in[(y + 1) * size + x]) /
                      4;
}

int main() {
  float* in;
  float* out;
  cudaMalloc(&in, size * size * sizeof(float));
  cudaMalloc(&out, size * size * sizeof(float));
  cudaMemset(in, 0, size * size * sizeof(float));
  along_rows<<<dim3(size / 128, size - 2), 128>>>(out, in);
  along_columns<<<dim3(size / 128, size - 2), 128>>>(out, in);
  float first;
  const cudaError_t error =
      cudaMemcpy(&first, &out[size + 1], sizeof first, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(out);
  cudaFree(in);
  return error == cudaSuccess ? 0 : 1;
}
