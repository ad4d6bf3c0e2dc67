// Host threads launch kernels and copy at the same time, on two devices: none waits for another one
// for ever, and nothing is told that is not so.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

__device__ int launches;
__global__ void add_index(int* out, int n, int number) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = i + number;
  if (i == 0) atomicAdd(&launches, 1);
}

bool is_right(int number) {
  constexpr int n = 300;
  std::vector<int> host(n);
  int* device;
  cudaSetDevice(number % 2);
  cudaMalloc(&device, n * sizeof(int));
  add_index<<<3, 128>>>(device, n, number);
  cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (int i = 0; i < n; ++i)
    if (host[i] != i + number) return false;
  return true;
}

int main() {
  constexpr int rounds = 20;
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([&right, number] {
      for (int round = 0; round < rounds; ++round) right += is_right(number) ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  int launched = 0;
  for (int device = 0; device < 2; ++device) {
    int here = 0;
    cudaSetDevice(device);
    cudaMemcpyFromSymbol(&here, launches, sizeof here);
    launched += here;
  }
  std::printf("%d right of %d launches\n", right.load(), launched);
  return right == 4 * rounds && launched == 4 * rounds ? 0 : 1;
}
