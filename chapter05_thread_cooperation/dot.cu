// dot - a dot product with shared memory and barriers; and a barrier in the wrong place.
//
// CUDA by Example, chapter 5 (thread cooperation), section 5.3.1, "Dot Product", and the book's
// mistake after it, a barrier that only some threads reach (--method divergent_barrier).
// Terms (docs/glossary.md): shared memory, barrier, reduction, grid-stride loop.
//
//   ./run dot                                33 x 1024 elements
//   ./run dot -n 1000000 --benchmark
//   ./run dot --method divergent_barrier     the emulated device names the mistake
//
// No window. What to see: the sum of the device has the same bits as a sum on the CPU in the same
// order. A plain loop on the CPU, which adds one product after the other, is farther from the exact
// sum.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device.h"
#include "../common/fail.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/timing.h"

constexpr int threads_per_block = 256;  // a power of two: the tree halves it until one is left
constexpr int max_blocks = 32;

// partial[block] = the block's share of the dot product of a and b, each of n elements.
__global__ void dot_kernel(size_t n, const float* a, const float* b, float* partial) {
  __shared__ float cache[threads_per_block];

  // Every thread adds up products t, t + T, t + 2T, ..., T being the threads of the grid.
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  float sum = 0;
  for (size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x; i < n; i += stride)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();  // the whole block's sums are in the cache

  // Half of the sums are left after each turn, until one is.
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();  // outside of the `if`: every thread of the block has to get here
  }

  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

// The same with a mistake: "only threads that add have to wait". The upper half of the threads
// never reaches the barrier in the loop. CUDA leaves undefined what happens then.
__global__ void divergent_barrier_kernel(size_t n, const float* a, const float* b, float* partial) {
  __shared__ float cache[threads_per_block];

  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  float sum = 0;
  for (size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x; i < n; i += stride)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();

  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      cache[threadIdx.x] += cache[threadIdx.x + half];
      __syncthreads();  // the mistake
    }
  }

  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

int blocks_for(size_t n) {
  return static_cast<int>(std::clamp<size_t>(div_up(n, threads_per_block), 1, max_blocks));
}

// CPU reference: the same additions in the same order, so that all bits agree.
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

// The sum of 2 i^2 for all i < n.
double exact_dot(size_t n) {
  const double x = static_cast<double>(n);
  return 2 * (x - 1) * x * (2 * x - 1) / 6;
}

// As cudaEventSynchronize, but for 5 seconds at most: with a barrier that not all threads reach, a
// kernel may never end.
void wait_or_give_up(cudaEvent_t event) {
  const HostTimer timer;
  cudaError_t state = cudaEventQuery(event);
  while (state == cudaErrorNotReady) {
    if (timer.ms() > 5000) {
      std::fprintf(
          stderr,
          "dot: given up after 5 s: threads wait at a barrier that the others never reach\n");
      std::_Exit(exit_code::failed);  // std::exit would wait for the kernel
    }
    state = cudaEventQuery(event);
  }
  HANDLE_ERROR(state);
}

int main(int argc, char** argv) {
  Options options("dot", Common::always_checked | Common::benchmark | Common::device);
  size_t n = 33 * 1024;
  options.add("-n", n, "elements of each vector", 0, size_t{1} << 30);
  options.add_methods(
      {{"tree", "every thread reaches every barrier"},
       {"divergent_barrier", "a mistake: a barrier that only the threads that add reach"}},
      "tree");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const bool mistake = options.method == "divergent_barrier";
  if (mistake && device_attribute(cudaDevAttrComputeCapabilityMajor) < 7)
    fail(exit_code::cannot_here, "divergent_barrier would wait forever on a device older than 7.0");

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
    if (mistake) {
      divergent_barrier_kernel<<<blocks, threads_per_block>>>(n, dev_a, dev_b, dev_partial);
    } else {
      dot_kernel<<<blocks, threads_per_block>>>(n, dev_a, dev_b, dev_partial);
    }
    HANDLE_ERROR(cudaGetLastError());
  };
  cudaEvent_t start;
  cudaEvent_t stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));
  HANDLE_ERROR(cudaEventRecord(start));
  launch();
  HANDLE_ERROR(cudaEventRecord(stop));
  wait_or_give_up(stop);
  float ms;
  HANDLE_ERROR(cudaEventElapsedTime(&ms, start, stop));

  // A sum per block is left; the CPU adds them up.
  HANDLE_ERROR(
      cudaMemcpy(partial.data(), dev_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  const float sum = std::accumulate(partial.begin(), partial.end(), 0.0f);

  const float reference = reference_dot(a, b);
  const double exact = exact_dot(n);
  if (!options.check) {
    const float loop = std::inner_product(a.begin(), a.end(), b.begin(), 0.0f);
    std::printf("%zu elements, %d x %d threads, %s\n", n, blocks, threads_per_block,
                time_text(ms).c_str());
    std::printf("device                       %.9g\n", sum);
    std::printf("CPU, in the same order       %.9g\n", reference);
    std::printf("CPU, one after the other     %.9g\n", loop);
    std::printf("exact                        %.9g\n", exact);
  }
  // Bit by bit; and near the exact sum. A product is rounded itself, and with each sum that it is
  // part of: those of its thread, 8 in the tree, 32 on the CPU.
  const size_t products_per_thread = n / (static_cast<size_t>(blocks) * threads_per_block);
  const float roundings = static_cast<float>(products_per_thread + 50);
  const float tolerance = static_cast<float>(exact) * roundings * 0x1p-24f;
  const bool passed = check_equal("sum", std::array{sum}, std::array{reference}) &&
                      check_near("sum and exact sum", std::array{sum},
                                 std::array{static_cast<float>(exact)}, tolerance);
  if (options.benchmark && passed)
    print_benchmark("dot product of " + std::to_string(n) + " elements", options.method, launch,
                    2.0 * static_cast<double>(bytes));

  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(stop));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  return verdict(options.name(), passed);
}
