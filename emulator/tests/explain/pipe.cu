// A program that writes into another one while its kernels run ends, whatever line is looked up.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void write(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  std::FILE* const other = popen("cat >/dev/null", "w");
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  write<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return other == nullptr ? 1 : pclose(other);
}
