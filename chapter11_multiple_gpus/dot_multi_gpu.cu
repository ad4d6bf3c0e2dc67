// dot_multi_gpu - a dot product on two GPUs: half of the vectors each.
//
// CUDA by Example, chapter 11, section 11.3 (using multiple GPUs). Every host thread has its own
// current device, which receives its CUDA calls. So each GPU gets a host thread. The host adds the
// halves.
// Terms (docs/glossary.md): host and device, grid-stride loop, shared memory, barrier.
//
//   ./run dot_multi_gpu                                     one GPU computes both halves
//   EMULATED_DEVICES=2 ./run dot_multi_gpu -n 1000000       two emulated devices
//   diff chapter11_multiple_gpus/dot_multi_gpu.cu chapter11_multiple_gpus/dot_portable_pinned.cu
//
// No window. What to see: the sum of each device, and the total. Each thread allocates, copies and
// computes independently of the other until join().
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "dot_check.h"

constexpr int threads_per_block = 256;
constexpr int max_blocks = 32;

// partial[block] = the block's share of the dot product of a and b. Each thread adds up every T-th
// product; T is the number of threads in the grid (a grid-stride loop). Then a tree adds up the
// sums of the threads of a block.
__global__ void dot_kernel(size_t n, const float* a, const float* b, float* partial) {
  __shared__ float sums[threads_per_block];
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  float sum = 0;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < n; i += stride)
    sum += a[i] * b[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

int blocks_for(size_t n) { return std::min<size_t>(max_blocks, div_up(n, threads_per_block)); }

void fill(float* a, float* b, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 2 * static_cast<float>(i);
  }
}

// A host thread's input and its result.
struct Half {
  int device;
  size_t n;
  const float* a;
  const float* b;
  float sum = 0;
};

// The work of each host thread.
void dot_of_half(Half& half) {
  HANDLE_ERROR(cudaSetDevice(half.device));
  const size_t bytes = half.n * sizeof(float);
  std::vector<float> partial(blocks_for(half.n));
  float* dev_a;
  float* dev_b;
  float* dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_partial, partial.size() * sizeof(float)));

  HANDLE_ERROR(cudaMemcpy(dev_a, half.a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, half.b, bytes, cudaMemcpyHostToDevice));
  dot_kernel<<<blocks_for(half.n), threads_per_block>>>(half.n, dev_a, dev_b, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(partial.data(), dev_partial, partial.size() * sizeof(float),
                          cudaMemcpyDeviceToHost));
  half.sum = std::accumulate(partial.begin(), partial.end(), 0.0f);

  for (float* memory : {dev_a, dev_b, dev_partial}) HANDLE_ERROR(cudaFree(memory));
}

int main(int argc, char** argv) {
  Options options("dot_multi_gpu", Common::always_checked);
  size_t n = 33 * 1024 * 1024;
  options.add("-n", n, "elements of each vector", 2, size_t{1} << 30);
  options.parse(argc, argv);
  int devices;
  HANDLE_ERROR(cudaGetDeviceCount(&devices));
  if (devices < 2 && !options.check)
    std::puts("There is one device here: it computes both halves.");

  std::vector<float> a(n);
  std::vector<float> b(n);
  fill(a.data(), b.data(), n);
  Half first = {0, n / 2, a.data(), b.data()};
  Half second = {devices < 2 ? 0 : 1, n - n / 2, a.data() + n / 2, b.data() + n / 2};
  std::thread other(dot_of_half, std::ref(second));
  dot_of_half(first);
  other.join();
  const float sum = first.sum + second.sum;

  if (!options.check) {
    std::printf("device %d: %.9g\n", first.device, first.sum);
    std::printf("device %d: %.9g\n", second.device, second.sum);
    std::printf("together %.9g, exact %.9g\n", sum, reference_dot(n));
  }
  return verdict(options.name(), check_dots(std::array{sum}, n));
}
