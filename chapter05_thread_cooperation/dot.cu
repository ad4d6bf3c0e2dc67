// dot - a dot product with shared memory and barriers.
//
// CUDA by Example, chapter 5 (thread cooperation), section 5.3.1, "Dot Product".
// With the barrier in the wrong place: diff dot.cu divergent_barrier.cu
// Terms (docs/glossary.md): shared memory, barrier, reduction, grid-stride loop.
//
//   ./run dot                                33 x 1024 elements
//   ./run dot -n 1000000 --benchmark
//
// No window. What to see: the device's sum matches, bit for bit, a CPU sum taken in the same order.
// A plain CPU loop, which adds one product after another, is farther from the exact sum.
#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/timing.h"

constexpr int threads_per_block = 256;  // a power of two: the tree halves it until one is left
constexpr int max_blocks = 32;

// partial[block] = the block's share of the dot product of a and b, each of n elements.
__global__ void dot_kernel(size_t n, const float* a, const float* b, float* partial) {
  __shared__ float cache[threads_per_block];

  // Thread t of the grid adds up products t, t + stride, t + 2 * stride, and so on.
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  float sum = 0;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < n; i += stride)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();  // the whole block's sums are in the cache

  // Each iteration halves the number of sums, until one is left.
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();  // outside the `if`: every thread of the block has to reach it
  }

  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

int blocks_for(size_t n) {
  return static_cast<int>(std::clamp<size_t>(div_up(n, threads_per_block), 1, max_blocks));
}

// CPU reference: the same additions in the same order, so all bits agree.
float reference_dot(const std::vector<float>& a, const std::vector<float>& b) {
  const int blocks = blocks_for(a.size());
  const size_t stride = static_cast<size_t>(threads_per_block) * blocks;
  float sum = 0;
  for (int block = 0; block < blocks; ++block) {
    std::array<float, threads_per_block> cache{};
    for (size_t thread = 0; thread < threads_per_block; ++thread)
      for (size_t i = thread + static_cast<size_t>(block) * threads_per_block; i < a.size();
           i += stride)
        cache[thread] += a[i] * b[i];
    for (int half = threads_per_block / 2; half > 0; half /= 2)
      for (int thread = 0; thread < half; ++thread) cache[thread] += cache[thread + half];
    sum += cache[0];
  }
  return sum;
}

void print_sums(const std::vector<float>& a, const std::vector<float>& b, float device) {
  const double n = static_cast<double>(a.size());
  const double exact = 2 * (n - 1) * n * (2 * n - 1) / 6;  // the sum of 2 i^2 for all i < n
  const float loop = std::inner_product(a.begin(), a.end(), b.begin(), 0.0f);
  std::printf("%zu elements, %d x %d threads\n", a.size(), blocks_for(a.size()), threads_per_block);
  std::printf("device                       %.9g\n", device);
  std::printf("CPU, in the same order       %.9g\n", reference_dot(a, b));
  std::printf("CPU, one after the other     %.9g\n", loop);
  std::printf("exact                        %.9g\n", exact);
}

int main(int argc, char** argv) {
  Options options("dot", Common::always_checked | Common::benchmark | Common::device);
  size_t n = 33 * 1024;
  options.add("-n", n, "elements of each vector", 0, size_t{1} << 30);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  // As in the book: a[i] = i, b[i] = 2 i.
  std::vector<float> a(n);
  std::vector<float> b(n);
  for (size_t i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 2 * static_cast<float>(i);
  }
  const int blocks = blocks_for(n);
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

  const auto launch = [&] {
    dot_kernel<<<blocks, threads_per_block>>>(n, dev_a, dev_b, dev_partial);
    HANDLE_ERROR(cudaGetLastError());
  };
  launch();

  // One sum per block is left. The CPU adds up these sums.
  HANDLE_ERROR(
      cudaMemcpy(partial.data(), dev_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  const float sum = std::accumulate(partial.begin(), partial.end(), 0.0f);

  const bool passed = check_equal("sum", std::array{sum}, std::array{reference_dot(a, b)});
  if (!options.check) print_sums(a, b, sum);
  if (options.benchmark && passed)
    print_benchmark("dot product of " + std::to_string(n) + " elements", "tree", launch,
                    2.0 * static_cast<double>(bytes));

  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  return verdict(options.name(), passed);
}
