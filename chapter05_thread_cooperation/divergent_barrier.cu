// divergent_barrier - a dot product with a mistake: a barrier that only some threads reach.
//
// CUDA by Example, chapter 5 (thread cooperation), section 5.3.1, "Dot Product Optimized
// (Incorrectly)". The behavior is undefined: the book's GPU hung, and most current GPUs do not.
// With the barrier in the right place: diff dot.cu divergent_barrier.cu
// Terms (docs/glossary.md): shared memory, barrier, reduction.
//
//   ./run divergent_barrier          the emulated device names the mistake
//
// No window. What to see: the sum is right. Only a tool shows the mistake.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device.h"
#include "../common/fail.h"
#include "../common/options.h"
#include "../common/timing.h"

constexpr int threads_per_block = 256;  // a power of two: the tree halves it until one is left
constexpr int blocks = 32;

// partial[block] = the block's share of the dot product of a and b, each of n elements.
__global__ void divergent_barrier_kernel(size_t n, const float* a, const float* b, float* partial) {
  __shared__ float cache[threads_per_block];

  // Thread t of the grid adds up products t, t + stride, t + 2 * stride, and so on.
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  float sum = 0;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < n; i += stride)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();  // the whole block's sums are in the cache

  // "Only threads that add have to wait": the upper half never reaches the barrier in the `if`.
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      cache[threadIdx.x] += cache[threadIdx.x + half];
      __syncthreads();  // the mistake
    }
  }

  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

// Waits for the kernel for at most 5 seconds, because it may never end.
void wait_or_give_up() {
  const HostTimer timer;
  while (cudaStreamQuery(nullptr) == cudaErrorNotReady) {
    if (timer.ms() > 5000) {
      std::fputs("divergent_barrier: ended after 5 s: threads still wait at the barrier\n", stderr);
      std::_Exit(exit_code::failed);  // std::exit would wait for the kernel
    }
  }
  HANDLE_ERROR(cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
  Options options("divergent_barrier", Common::always_checked | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  if (device_attribute(cudaDevAttrComputeCapabilityMajor) < 7)
    fail(exit_code::cannot_here, "this kernel would wait forever on a device older than 7.0");

  // Small whole numbers: their sum is exact in any order.
  const size_t n = 33 * 1024;
  std::vector<float> a(n);
  const std::vector<float> b(n, 1.0f);
  for (size_t i = 0; i < n; ++i) a[i] = static_cast<float>(i % 8);
  std::vector<float> partial(blocks);

  const size_t bytes = n * sizeof(float);
  float* dev_a;
  float* dev_b;
  float* dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_partial, blocks * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b.data(), bytes, cudaMemcpyHostToDevice));

  divergent_barrier_kernel<<<blocks, threads_per_block>>>(n, dev_a, dev_b, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  wait_or_give_up();

  HANDLE_ERROR(
      cudaMemcpy(partial.data(), dev_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  const float sum = std::accumulate(partial.begin(), partial.end(), 0.0f);
  const float expected = std::inner_product(a.begin(), a.end(), b.begin(), 0.0f);
  if (!options.check) std::printf("device %.9g, CPU %.9g\n", sum, expected);
  const bool passed = check_equal("sum", std::array{sum}, std::array{expected});

  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  return verdict(options.name(), passed);
}
