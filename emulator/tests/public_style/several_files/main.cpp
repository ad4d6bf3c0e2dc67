// A program of several files, as large ones are: the host's part in C++
// and C, kernels in two .cu files.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "parts.h"

int main() {
  std::vector<int> numbers(1000);
  fill(numbers.data(), static_cast<int>(numbers.size()));
  int* device = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&device), numbers.size() * sizeof(int));
  cudaMemcpy(device, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice);
  add_on_device(device, 1000, 5);
  scale_on_device(device, 1000, 3);
  cudaMemcpy(numbers.data(), device, numbers.size() * sizeof(int), cudaMemcpyDeviceToHost);
  bool ok = cudaDeviceSynchronize() == cudaSuccess && calls_on_device() == 2000;
  for (int i = 0; i < 1000; ++i) ok = ok && numbers[i] == (i * i + 5) * 3;
  std::printf("%s\n", ok ? "OK" : "WRONG");
  cudaFree(device);
}
