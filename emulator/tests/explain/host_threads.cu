// Host threads launch kernels and copy at the same time, on two devices: all come to their end, and
// no mistake is found.
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
  int* device;
  int* host;
  cudaStream_t stream;
  cudaSetDevice(number % 2);
  cudaStreamCreate(&stream);
  cudaMalloc(&device, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  add_index<<<3, 128, 0, stream>>>(device, n, number);
  cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && host[i] == i + number;
  cudaFree(device);
  cudaFreeHost(host);
  cudaStreamDestroy(stream);
  return right;
}

int main() {
  constexpr int rounds = 100;
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
