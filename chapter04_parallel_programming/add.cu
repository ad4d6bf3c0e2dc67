// add - the sum of two vectors, one thread per element.
//
// CUDA by Example, chapter 4 (parallel programming in CUDA C), section 4.2.1, "Summing Vectors". A
// loop over the elements becomes a grid: every block, or thread, adds one element.
// Terms (docs/glossary.md): kernel, host and device, block, grid, thread, warp.
//
//   ./run add                               10 elements, 10 blocks of one thread
//   ./run add -n 1000 --threads 256         4 blocks of 256 threads; the last 24 have nothing to do
//   ./run add -n 1000000 --benchmark
//
// No window. What to see: ten sums. On a GPU --benchmark shows that a block of one thread takes as
// long as a block of 32: a warp is always 32 lanes wide.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/timing.h"

// The CPU adds in a loop: element 0, 1, 2, ...
void add_cpu(size_t n, const int* a, const int* b, int* c) {
  for (size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

// The device adds all elements at the same time: thread i of the grid adds element i. With one
// thread per block, as in the book, i is blockIdx.x.
__global__ void add_kernel(size_t n, const int* a, const int* b, int* c) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i < n) c[i] = a[i] + b[i];  // the last block may have too many threads
}

int main(int argc, char** argv) {
  Options options("add", Common::always_checked | Common::benchmark | Common::device);
  size_t n = 10;
  int threads = 1;
  options.add("-n", n, "elements of each vector", 0, size_t{1} << 30);
  options.add("--threads", threads, "threads per block", 1, 1024);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  // The book's -i and i * i. They repeat after 10,000 elements, so every i * i fits in an int.
  std::vector<int> a(n);
  std::vector<int> b(n);
  std::vector<int> c(n);
  std::vector<int> expected(n);
  for (size_t i = 0; i < n; ++i) {
    const int value = static_cast<int>(i % 10000);
    a[i] = -value;
    b[i] = value * value;
  }

  // Allocate memory on the device, copy the vectors in, add, and copy the sums out.
  const size_t bytes = n * sizeof(int);
  int* dev_a;
  int* dev_b;
  int* dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_a, a.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b.data(), bytes, cudaMemcpyHostToDevice));

  const auto add = [&](int threads_per_block) {
    // A grid is never empty.
    const size_t blocks = std::max<size_t>(div_up(n, threads_per_block), 1);
    add_kernel<<<blocks, threads_per_block>>>(n, dev_a, dev_b, dev_c);
    HANDLE_ERROR(cudaGetLastError());
  };
  add(threads);
  HANDLE_ERROR(cudaMemcpy(c.data(), dev_c, bytes, cudaMemcpyDeviceToHost));

  if (!options.check)
    for (size_t i = 0; i < std::min<size_t>(n, 10); ++i)
      std::printf("%d + %d = %d\n", a[i], b[i], c[i]);
  add_cpu(n, a.data(), b.data(), expected.data());
  const bool passed = check_equal("sum", c, expected);

  if (options.benchmark && passed) {
    BenchmarkTable table("sum of " + std::to_string(n) + " elements");
    for (const int threads_per_block : {1, 32, 128, 256, 1024})
      table.add(std::to_string(threads_per_block) + " threads per block",
                measure([&] { add(threads_per_block); }), 3.0 * static_cast<double>(bytes));
    table.print();
  }

  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
  return verdict(options.name(), passed);
}
