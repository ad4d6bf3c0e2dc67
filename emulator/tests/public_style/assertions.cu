// Assertions in device code hold unless the program itself defines NDEBUG: one that fails ends the kernel with
// cudaErrorAssert, and says so on standard error.
#include <cassert>
#include <cstdio>

__global__ void square_roots(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  assert(in[i] >= 0.0f);
  out[i] = sqrtf(in[i]);
}

int main() {
  constexpr int n = 96;
  float host[n], results[n];
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i * i);
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  square_roots<<<3, 32>>>(out, in, n);
  cudaError_t error = cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  int wrong = error != cudaSuccess;
  for (int i = 0; i < n; ++i) wrong += results[i] != static_cast<float>(i);

  host[50] = -1.0f;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  square_roots<<<3, 32>>>(out, in, n);
  error = cudaDeviceSynchronize();
  if (error != cudaErrorAssert) {
    std::printf("the failed assertion gave %s\n", cudaGetErrorName(error));
    ++wrong;
  }
  std::puts(wrong == 0 ? "OK" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
