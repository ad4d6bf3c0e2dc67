// A dot product whose blocks arrive at a cuda::barrier, do something else, and wait for the others
// later; the parts of cuda::std that kernels use.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstdio>
#include <new>
#include <vector>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void dot(const float* a, const float* b, double* total, int n) {
  __shared__ block_barrier barrier;
  __shared__ double sums[256];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();

  double sum = 0;
  for (int i = block.group_index().x * block.size() + block.thread_rank(); i < n;
       i += gridDim.x * block.size())
    sum += static_cast<double>(a[i]) * b[i];
  sums[block.thread_rank()] = sum;
  for (unsigned half = block.size() / 2; half > 0; half /= 2) {
    block_barrier::arrival_token token = barrier.arrive();
    const bool active = block.thread_rank() < half;  // work without the other threads
    barrier.wait(cuda::std::move(token));
    if (active) sums[block.thread_rank()] += sums[block.thread_rank() + half];
    barrier.arrive_and_wait();
  }
  if (block.thread_rank() == 0) atomicAdd(total, sums[0]);
}

// A barrier that counts its phases, of which threads take leave one after another.
struct CountPhases {
  int* phases;
  __device__ void operator()() noexcept { ++*phases; }
};
__global__ void leave(int* phases, int* rounds) {
  using Counting = cuda::barrier<cuda::thread_scope_block, CountPhases>;
  __shared__ alignas(Counting) char bytes[sizeof(Counting)];
  Counting& barrier = *reinterpret_cast<Counting*>(bytes);
  if (threadIdx.x == 0) new (&barrier) Counting(blockDim.x, CountPhases{phases});
  __syncthreads();
  for (unsigned i = 0; i < threadIdx.x; ++i) {
    barrier.arrive_and_wait();
    atomicAdd(rounds, 1);
  }
  barrier.arrive_and_drop();
}

template <class T>
__global__ void standard_library(T* out) {
  static_assert(cuda::std::is_same<T, float>::value, "a kernel of floats");
  cuda::std::array<T, 4> numbers{1, 2, 3, 4};
  T sum = 0;
  for (const T number : numbers) sum += number;
  const cuda::std::complex<T> z(3, 4);
  out[0] = sum + abs(z);
  out[1] = cuda::std::numeric_limits<T>::max();
}

int main() {
  constexpr int n = 10000;
  std::vector<float> a(n), b(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 17);
    b[i] = static_cast<float>(i % 5) / 4;
    expected += static_cast<double>(a[i]) * b[i];
  }
  float *da, *db, *out;
  double* total;
  int* numbers;
  cudaMalloc(&da, n * sizeof(float));
  cudaMalloc(&db, n * sizeof(float));
  cudaMalloc(&out, 2 * sizeof(float));
  cudaMallocManaged(&total, sizeof(double));
  cudaMallocManaged(&numbers, 8 * sizeof(int));
  *total = 0;
  for (int i = 0; i < 8; ++i) numbers[i] = 0;
  cudaMemcpy(da, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  dot<<<7, 256>>>(da, db, total, n);
  leave<<<1, 32>>>(numbers, numbers + 1);
  standard_library<<<1, 1>>>(out);
  float got[2] = {};
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  const cudaError_t error = cudaDeviceSynchronize();
  bool ok = error == cudaSuccess && *total == expected && numbers[0] == 32 &&
            numbers[1] == 31 * 32 / 2 && got[0] == 15 && got[1] > 3e38f;
  std::printf("dot %f (%f), phases %d, rounds %d: %s\n%s\n", *total, expected, numbers[0],
              numbers[1], cudaGetErrorString(error), ok ? "OK" : "WRONG");
}
