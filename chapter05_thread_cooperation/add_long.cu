// add_long - the sum of two vectors of any length, with a loop over the grid.
//
// CUDA by Example, chapter 5 (thread cooperation), section 5.2.1, "Vector Sums: Redux" and "GPU
// Sums of Arbitrarily Long Vectors". A grid of any size adds vectors of any length that fits in
// memory.
// Terms (docs/glossary.md): thread, block, grid, grid-stride loop, stride.
//
//   ./run add_long                                    33 x 1024 elements, 128 blocks of 128 threads
//   ./run add_long -n 1000003 --blocks 7 --threads 100
//   ./run add_long -n 20000000 --benchmark
//
// No window. What to see: the number of elements per thread; every sum is right. On a GPU,
// --benchmark shows that the book's grid is too small for a current GPU.
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/timing.h"

// c[i] = a[i] + b[i]. With T threads in the grid, thread t adds elements t, t + T, t + 2T, ...: the
// threads of a warp always add neighboring elements. Indices are size_t: an int ends at 2^31 - 1.
__global__ void add_kernel(size_t n, const unsigned* a, const unsigned* b, unsigned* c) {
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < n; i += stride)
    c[i] = a[i] + b[i];
}

// CPU reference: a loop. The sums of unsigned numbers wrap around at 2^32 on every machine.
void add_cpu(const std::vector<unsigned>& a, const std::vector<unsigned>& b,
             std::vector<unsigned>& c) {
  for (size_t i = 0; i < a.size(); ++i) c[i] = a[i] + b[i];
}

// Times the given grid, and one of as many threads as the device holds at a time.
void print_benchmark(size_t n, int blocks, int threads, const std::function<void(int, int)>& add) {
  int fitting_blocks = 0;
  int fitting_threads = 0;
  HANDLE_ERROR(cudaOccupancyMaxPotentialBlockSize(&fitting_blocks, &fitting_threads, add_kernel));
  BenchmarkTable table("sum of " + std::to_string(n) + " elements");
  const double moved = 3.0 * static_cast<double>(n * sizeof(unsigned));
  const auto time = [&](int grid, int block) {
    const std::string name = std::to_string(grid) + " x " + std::to_string(block) + " threads";
    table.add(name, measure([&] { add(grid, block); }), moved);
  };
  time(blocks, threads);
  time(fitting_blocks, fitting_threads);
  table.print();
}

int main(int argc, char** argv) {
  Options options("add_long", Common::always_checked | Common::benchmark | Common::device);
  size_t n = 33 * 1024;
  int blocks = 128;   // the book's
  int threads = 128;  // the book's
  options.add("-n", n, "elements of each vector", 0, size_t{1} << 33);
  options.add("--blocks", blocks, "blocks of the grid", 1, 0x7fffffff);
  options.add("--threads", threads, "threads per block", 1, 1024);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  // As in the book: a[i] = i, b[i] = 2 i.
  std::vector<unsigned> a(n);
  std::vector<unsigned> b(n);
  std::vector<unsigned> c(n);
  std::vector<unsigned> expected(n);
  for (size_t i = 0; i < n; ++i) {
    a[i] = static_cast<unsigned>(i);
    b[i] = 2 * static_cast<unsigned>(i);
  }

  const size_t bytes = n * sizeof(unsigned);
  unsigned* dev_a;
  unsigned* dev_b;
  unsigned* dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_a, a.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b.data(), bytes, cudaMemcpyHostToDevice));

  const auto add = [&](int grid, int block) {
    add_kernel<<<grid, block>>>(n, dev_a, dev_b, dev_c);
    HANDLE_ERROR(cudaGetLastError());
  };
  add(blocks, threads);
  HANDLE_ERROR(cudaMemcpy(c.data(), dev_c, bytes, cudaMemcpyDeviceToHost));

  if (!options.check) {
    const size_t stride = static_cast<size_t>(blocks) * threads;
    std::printf("%zu elements, %d x %d threads: a thread adds %zu", n, blocks, threads, n / stride);
    if (n % stride != 0) std::printf(" or %zu", n / stride + 1);
    std::printf(" of them\n");
  }
  add_cpu(a, b, expected);
  const bool passed = check_equal("sum", c, expected);

  if (options.benchmark && passed) print_benchmark(n, blocks, threads, add);

  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
  return verdict(options.name(), passed);
}
