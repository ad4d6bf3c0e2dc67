// dot_zero_copy - a dot product whose vectors stay in the host's memory.
//
// CUDA by Example, chapter 11, section 11.2 (zero-copy host memory). Mapped page-locked memory also
// has an address on the device, so the kernel reads the host's memory over the bus, without a copy.
// The sum is computed twice, with and without cudaMemcpy. Both are timed with events.
// Terms (docs/glossary.md): page-locked memory, zero-copy memory, grid-stride loop, shared memory,
// barrier, event.
//
//   ./run dot_zero_copy                 33 x 1024 x 1024 elements
//   ./run dot_zero_copy -n 1000 --check
//
// No window. What to see: the same sum twice. Without copies it takes less time, because every
// element is needed only once. A kernel that reads its input ten times would fetch it over the bus
// ten times.
#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device.h"
#include "../common/fail.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/timing.h"
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

struct Dot {
  float sum;
  float ms;
};

// With copies: the vectors are in ordinary memory, and on the device.
Dot dot_with_copies(size_t n, cudaEvent_t start, cudaEvent_t stop) {
  std::vector<float> a(n);
  std::vector<float> b(n);
  std::vector<float> partial(blocks_for(n));
  fill(a.data(), b.data(), n);
  const size_t bytes = n * sizeof(float);
  const size_t partial_bytes = partial.size() * sizeof(float);
  float* dev_a;
  float* dev_b;
  float* dev_partial;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_partial, partial_bytes));

  Dot dot;
  HANDLE_ERROR(cudaEventRecord(start));
  HANDLE_ERROR(cudaMemcpy(dev_a, a.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b.data(), bytes, cudaMemcpyHostToDevice));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(n, dev_a, dev_b, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(partial.data(), dev_partial, partial_bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaEventRecord(stop));
  HANDLE_ERROR(cudaEventSynchronize(stop));
  HANDLE_ERROR(cudaEventElapsedTime(&dot.ms, start, stop));
  dot.sum = std::accumulate(partial.begin(), partial.end(), 0.0f);

  for (float* memory : {dev_a, dev_b, dev_partial}) HANDLE_ERROR(cudaFree(memory));
  return dot;
}

// Without copies the kernel reads and writes the host's memory. The host only writes the vectors,
// so they are write-combined: they bypass its caches. This makes the device's reads cheaper and the
// host's own reads very slow.
Dot dot_without_copies(size_t n, cudaEvent_t start, cudaEvent_t stop) {
  const int blocks = blocks_for(n);
  float* a;
  float* b;
  float* partial;
  float* dev_a;
  float* dev_b;
  float* dev_partial;
  HANDLE_ERROR(
      cudaHostAlloc(&a, n * sizeof(float), cudaHostAllocWriteCombined | cudaHostAllocMapped));
  HANDLE_ERROR(
      cudaHostAlloc(&b, n * sizeof(float), cudaHostAllocWriteCombined | cudaHostAllocMapped));
  HANDLE_ERROR(cudaHostAlloc(&partial, blocks * sizeof(float), cudaHostAllocMapped));
  fill(a, b, n);
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_a, a, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_b, b, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_partial, partial, 0));

  Dot dot;
  HANDLE_ERROR(cudaEventRecord(start));
  dot_kernel<<<blocks, threads_per_block>>>(n, dev_a, dev_b, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaEventRecord(stop));
  // No copy waits for the kernel, so the host has to wait before it reads.
  HANDLE_ERROR(cudaEventSynchronize(stop));
  HANDLE_ERROR(cudaEventElapsedTime(&dot.ms, start, stop));
  dot.sum = std::accumulate(partial, partial + blocks, 0.0f);

  for (float* memory : {a, b, partial}) HANDLE_ERROR(cudaFreeHost(memory));
  return dot;
}

int main(int argc, char** argv) {
  Options options("dot_zero_copy", Common::always_checked | Common::device);
  size_t n = 33 * 1024 * 1024;
  options.add("-n", n, "elements of each vector", 1, size_t{1} << 30);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  if (device_attribute(cudaDevAttrCanMapHostMemory) == 0)
    fail(exit_code::cannot_here, "this device cannot map the host's memory");
  HANDLE_ERROR(cudaSetDeviceFlags(cudaDeviceMapHost));

  cudaEvent_t start;
  cudaEvent_t stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));
  const Dot copies = dot_with_copies(n, start, stop);
  const Dot zero_copy = dot_without_copies(n, start, stop);
  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(stop));

  if (!options.check) {
    std::printf("with copies     %.9g, %s\n", copies.sum, time_text(copies.ms).c_str());
    std::printf("without copies  %.9g, %s\n", zero_copy.sum, time_text(zero_copy.ms).c_str());
    std::printf("exact           %.9g\n", reference_dot(n));
  }
  return verdict(options.name(), check_dots(std::array{copies.sum, zero_copy.sum}, n));
}
