// Threads that pass a time by looking at the clock, as programs do to show what streams and graphs
// overlap. The threads of a block do it at the same time, so a block takes as long as one of them.
#include <chrono>
#include <cstdio>

__global__ void pass_time(clock_t ticks, long long* passed) {
  const clock_t start = clock();
  clock_t now = start;
  while (now - start < ticks) now = clock();
  passed[blockIdx.x * blockDim.x + threadIdx.x] = now - start;
}

int main() {
  constexpr int blocks = 64, threads = 256, n = blocks * threads;
  int rate = 0;  // kHz, so this is ticks per millisecond
  cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, 0);
  long long* passed = nullptr;
  cudaMallocManaged(&passed, n * sizeof *passed);
  const auto start = std::chrono::steady_clock::now();
  pass_time<<<blocks, threads>>>(rate, passed);
  cudaDeviceSynchronize();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  int wrong = cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < n; ++i) wrong += passed[i] < rate;
  // One after another the threads would need 16 s, or 8 on two cores.
  if (seconds.count() > 4) {
    std::printf("%d threads passed a millisecond each in %.1f s\n", n, seconds.count());
    ++wrong;
  }
  cudaFree(passed);
  std::puts(wrong == 0 ? "OK" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
