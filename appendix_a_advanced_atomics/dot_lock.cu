// dot_lock - a dot product whose blocks add under a lock, or with one atomic instruction.
//
// CUDA by Example, appendix A (advanced atomics), section A.1, "Dot Product Revisited": a lock made
// from an atomic compare-and-swap. The book's GPU had no atomicAdd for float.
// Terms (docs/glossary.md): atomics, fence, race, reduction.
//
//   ./run dot_lock                         the lock
//   ./run dot_lock --method atomic_add -n 1000003
//   ./run dot_lock --method no_lock        may FAIL: blocks overwrite one another's sums
//   ./run dot_lock --benchmark
//
// No window. What to see: 100 runs, and the number of wrong results. Without the lock some may be
// wrong; with it, and with atomicAdd, none.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/random.h"
#include "../common/timing.h"

constexpr int threads_per_block = 256;
constexpr int max_blocks = 32;

// One int in device memory: 0 is free, 1 is taken. Unlike the book's lock it owns nothing: a kernel
// gets a copy, and the copy's destructor must not free the memory.
struct Lock {
  int* taken;

  // Only the thread that changes 0 to 1 continues; the others try again.
  __device__ void lock() {
    while (atomicCAS(taken, 0, 1) != 0) {
    }
    __threadfence();  // the last owner's writes before its fence are visible from here on
  }
  __device__ void unlock() {
    __threadfence();  // this owner's writes are visible before the lock is free
    atomicExch(taken, 0);
  }
};

// The sum of the products of the block's threads: the tree of chapter 5.
__device__ float block_sum(size_t n, const float* a, const float* b) {
  __shared__ float cache[threads_per_block];
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  float sum = 0;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < n; i += stride)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  return cache[0];
}

// A mistake: between the read and the write of *result, another block may have added its sum.
__global__ void no_lock_kernel(size_t n, const float* a, const float* b, float* result) {
  const float sum = block_sum(n, a, b);
  if (threadIdx.x == 0) *result += sum;
}

// One thread per block takes the lock. (Two lanes of a warp that want the same lock need more care:
// see README.md.)
__global__ void lock_kernel(size_t n, const float* a, const float* b, float* result, Lock lock) {
  const float sum = block_sum(n, a, b);
  if (threadIdx.x == 0) {
    lock.lock();
    *result += sum;
    lock.unlock();
  }
}

__global__ void atomic_add_kernel(size_t n, const float* a, const float* b, float* result) {
  const float sum = block_sum(n, a, b);
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

int blocks_for(size_t n) {
  return static_cast<int>(std::clamp<size_t>(div_up(n, threads_per_block), 1, max_blocks));
}

// Whole numbers from -2 to 2: all sums are whole and far below 2^24, so every order of the
// blocks gives the same bits.
std::vector<float> random_vector(size_t n, Random& random) {
  std::vector<float> vector(n);
  for (float& element : vector)
    element = static_cast<float>(static_cast<int>(random.bits() % 5) - 2);
  return vector;
}

// CPU reference.
float reference_dot(const std::vector<float>& a, const std::vector<float>& b) {
  long long sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += static_cast<long long>(a[i] * b[i]);
  return static_cast<float>(sum);
}

void print_spread(const std::string& method, const std::vector<float>& sums, float expected) {
  const auto [smallest, largest] = std::minmax_element(sums.begin(), sums.end());
  const auto wrong = static_cast<long>(sums.size()) - std::ranges::count(sums, expected);
  std::printf("%s: %.9g to %.9g in %zu runs, of which %ld are wrong\n", method.c_str(), *smallest,
              *largest, sums.size(), wrong);
}

// Checks and times the right methods, and prints their times if both pass. Returns whether they do.
bool print_benchmark(size_t n, const std::function<bool(const std::string&)>& is_right,
                     const std::function<float(const std::string&)>& sum_of) {
  bool passed = true;
  BenchmarkTable table("dot product of " + std::to_string(n) + " elements");
  const double bytes = 2.0 * static_cast<double>(n * sizeof(float));
  for (const std::string method : {"lock", "atomic_add"}) {
    passed = is_right(method) && passed;
    table.add(method, measure([&] { sum_of(method); }), bytes);
  }
  if (passed) table.print();
  return passed;
}

int main(int argc, char** argv) {
  Options options("dot_lock",
                  Common::seed | Common::always_checked | Common::benchmark | Common::device);
  size_t n = is_emulated ? 1 << 17 : 1 << 22;
  options.add("-n", n, "elements of each vector", 0, size_t{1} << 31);
  options.add_methods({{"no_lock", "a mistake: += by several blocks at once"},
                       {"lock", "one block after the other, as in the book"},
                       {"atomic_add", "one instruction, since compute capability 2.0"}},
                      "lock");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  Random random(options.seed);
  const std::vector<float> a = random_vector(n, random);
  const std::vector<float> b = random_vector(n, random);
  const size_t bytes = n * sizeof(float);
  float* dev_a;
  float* dev_b;
  float* dev_result;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_result, sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b.data(), bytes, cudaMemcpyHostToDevice));

  Lock lock;
  HANDLE_ERROR(cudaMalloc(&lock.taken, sizeof(int)));
  HANDLE_ERROR(cudaMemset(lock.taken, 0, sizeof(int)));

  const int blocks = blocks_for(n);
  const auto sum_of = [&](const std::string& method) {
    HANDLE_ERROR(cudaMemset(dev_result, 0, sizeof(float)));  // all bits 0: 0.0f
    if (method == "no_lock") {
      no_lock_kernel<<<blocks, threads_per_block>>>(n, dev_a, dev_b, dev_result);
    } else if (method == "lock") {
      lock_kernel<<<blocks, threads_per_block>>>(n, dev_a, dev_b, dev_result, lock);
    } else {
      atomic_add_kernel<<<blocks, threads_per_block>>>(n, dev_a, dev_b, dev_result);
    }
    HANDLE_ERROR(cudaGetLastError());
    float sum;
    HANDLE_ERROR(cudaMemcpy(&sum, dev_result, sizeof(float), cudaMemcpyDeviceToHost));
    return sum;
  };

  const auto is_right = [&](const std::string& method) {
    std::vector<float> sums(options.check ? 1 : 100);
    for (float& sum : sums) sum = sum_of(method);
    const std::vector<float> expected(sums.size(), reference_dot(a, b));
    if (!options.check) print_spread(method, sums, expected[0]);
    return check_equal(method, sums, expected);
  };

  const bool passed =
      options.benchmark ? print_benchmark(n, is_right, sum_of) : is_right(options.method);

  HANDLE_ERROR(cudaFree(lock.taken));
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_result));
  return verdict(options.name(), passed);
}
