// Grids, blocks, barriers, memory spaces: what CUDA promises, tested on
// whatever device this was built for.
#include <cooperative_groups.h>

#include <cstdint>
#include <cuda/atomic>
#include <numeric>

#include "semantics_main.h"

namespace cg = cooperative_groups;

// ---- launches ----
__global__ void write_number(unsigned* numbers, dim3 grid) {
  const unsigned block = blockIdx.x + grid.x * (blockIdx.y + grid.y * blockIdx.z);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  if (gridDim.x == grid.x && gridDim.y == grid.y && gridDim.z == grid.z)
    numbers[block * threads + thread] += block * threads + thread + 1;
}

TEST(Launch, EveryThreadRunsOnce) {
  const dim3 shapes[][2] = {{1, 1},
                            {7, 33},
                            {dim3(5, 3), dim3(8, 4)},
                            {dim3(2, 3, 4), dim3(3, 5, 7)},
                            {dim3(1, 1, 9), dim3(1, 1, 64)},
                            {300, 1024},
                            {(1 << 21) + 5, 1}};
  for (const auto& [grid, block] : shapes) {
    const std::size_t n = std::size_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
    Device<unsigned> numbers(n);
    write_number<<<grid, block>>>(numbers.get(), grid);
    std::vector<unsigned> expected(n);
    std::iota(expected.begin(), expected.end(), 1u);
    EXPECT_EQ(numbers.read(), expected);
  }
}

template <class T, int Factor>
__global__ void scale(T* out, T value) {
  out[threadIdx.x] = value * Factor;
}
template <class T>
__global__ void deduced(T* out, T value) {
  out[threadIdx.x] = value;
}
__global__ void overloaded(int* out) { out[threadIdx.x] = 1; }
__global__ void overloaded(int* out, int value) { out[threadIdx.x] = value; }
__global__ void takes_pointer(int* out, const int* nothing) {
  out[threadIdx.x] = nothing == nullptr ? 5 : 6;
}
namespace inner {
__global__ void qualified(int* out) { out[threadIdx.x] = 9; }
}  // namespace inner

TEST(Launch, NamesOfKernels) {
  Device<int> out(4);
  const auto all = [](int value) { return std::vector<int>(4, value); };
  scale<int, (3 > 2 ? 4 : 1)><<<1, 4>>>(out.get(), 2);
  EXPECT_EQ(out.read(), all(8));
  deduced<<<1, 4>>>(out.get(), 3);
  EXPECT_EQ(out.read(), all(3));
  overloaded<<<1, 4>>>(out.get());
  EXPECT_EQ(out.read(), all(1));
  overloaded<<<1, 4>>>(out.get(), 7);
  EXPECT_EQ(out.read(), all(7));
  ::inner::qualified<<<1, 4>>>(out.get());
  EXPECT_EQ(out.read(), all(9));
  takes_pointer<<<1, 4>>>(out.get(), NULL);
  EXPECT_EQ(out.read(), all(5));
  void (*pointer)(int*, int) = overloaded;
  pointer<<<1, 4>>>(out.get(), 11);
  EXPECT_EQ(out.read(), all(11));
  void (*table[])(int*, int) = {scale<int, 1>, scale<int, 2>};
  table[1]<<<dim3(1), 4, 0, cudaStreamLegacy>>>(out.get(), 6);
  EXPECT_EQ(out.read(), all(12));
}

struct Large {
  int values[256];
};
__global__ void by_value(Large in, int* out, int add) {
  in.values[threadIdx.x] += add;  // each thread has its own copy
  add = in.values[threadIdx.x];
  out[threadIdx.x] = add + in.values[(threadIdx.x + 1) % 256];
}

TEST(Launch, ParametersAreCopies) {
  Large in;
  std::iota(in.values, in.values + 256, 0);
  Device<int> out(256);
  by_value<<<1, 256>>>(in, out.get(), 1000);
  const auto got = out.read();
  for (int i = 0; i < 256; ++i) EXPECT_EQ(got[i], i + 1000 + (i + 1) % 256);
}

TEST(Launch, KernelsThroughPointersToArguments) {
  Device<int> out(4);
  int* pointer = out.get();
  int value = 21;
  void* arguments[] = {&pointer, &value};
  EXPECT_EQ(cudaLaunchKernel((void*)scale<int, 2>, dim3(1), dim3(4), arguments, 0, 0), cudaSuccess);
  EXPECT_EQ(out.read(), std::vector<int>(4, 42));
}

// ---- memory spaces ----
__constant__ int constant_values[64];
__device__ int device_counter = 5;

__global__ void use_constants(int* out) {
  out[threadIdx.x] = constant_values[threadIdx.x];
  if (threadIdx.x == 0) device_counter += constant_values[1];
}

TEST(Memory, Symbols) {
  std::vector<int> values(64);
  std::iota(values.begin(), values.end(), 100);
  ASSERT_EQ(cudaMemcpyToSymbol(constant_values, values.data(), 64 * sizeof(int)), cudaSuccess);
  const int special = -7;
  ASSERT_EQ(cudaMemcpyToSymbol(constant_values, &special, sizeof special, 3 * sizeof(int)),
            cudaSuccess);
  values[3] = special;
  Device<int> out(64);
  use_constants<<<1, 64>>>(out.get());
  EXPECT_EQ(out.read(), values);
  int counter = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&counter, device_counter, sizeof counter), cudaSuccess);
  EXPECT_EQ(counter, 5 + 101);
  int* address = nullptr;
  ASSERT_EQ(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), device_counter), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(&counter, address, sizeof counter, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(counter, 106);
  EXPECT_EQ(cudaMemcpyToSymbol(constant_values, values.data(), 65 * sizeof(int)),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

// Every block sees its own shared memory.
__global__ void reverse_static(int* values) {
  __shared__ int block_values[128];
  block_values[threadIdx.x] = values[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  values[blockIdx.x * 128 + threadIdx.x] = block_values[127 - threadIdx.x];
}
template <class T>
__global__ void reverse_dynamic(T* values) {
  extern __shared__ __align__(16) unsigned char bytes[];
  T* block_values = reinterpret_cast<T*>(bytes);
  block_values[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  values[blockIdx.x * blockDim.x + threadIdx.x] = block_values[blockDim.x - 1 - threadIdx.x];
}

TEST(Memory, SharedMemoryBelongsToABlock) {
  std::vector<int> values(128 * 50);
  std::iota(values.begin(), values.end(), 0);
  std::vector<int> expected(values.size());
  for (int i = 0; i < 128 * 50; ++i) expected[i] = i / 128 * 128 + 127 - i % 128;
  Device<int> device(values);
  reverse_static<<<50, 128>>>(device.get());
  EXPECT_EQ(device.read(), expected);
  reverse_dynamic<<<50, 128, 128 * sizeof(int)>>>(device.get());
  EXPECT_EQ(device.read(), values);
  std::vector<double> doubles(1024, 0.0);
  std::iota(doubles.begin(), doubles.end(), 0.5);
  Device<double> device_doubles(doubles);
  reverse_dynamic<<<1, 1024, 1024 * sizeof(double)>>>(device_doubles.get());
  EXPECT_EQ(device_doubles.read(), std::vector<double>(doubles.rbegin(), doubles.rend()));
}

__global__ void large_shared(int* out, int n) {
  extern __shared__ int large[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) large[i] = i;
  __syncthreads();
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += large[n - 1 - i];
  atomicAdd(out, sum);
}

TEST(Memory, DynamicSharedMemoryAbove48KiBMustBeAskedFor) {
  Device<int> out(1);
  const int n = 16 << 10;
  const int bytes = n * 4;
  large_shared<<<1, 256, bytes>>>(out.get(), n);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  ASSERT_EQ(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
            cudaSuccess);
  large_shared<<<1, 256, bytes>>>(out.get(), n);
  EXPECT_EQ(out.read()[0], n * (n - 1) / 2);
}

__global__ void next_to_pinned(int* pinned) {
  pinned[threadIdx.x] += static_cast<int>(threadIdx.x);
}

TEST(Memory, PinnedAndManagedMemory) {
  int* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 32 * sizeof(int), cudaHostAllocMapped), cudaSuccess);
  std::fill(pinned, pinned + 32, 10);
  int* mapped = nullptr;
  ASSERT_EQ(cudaHostGetDevicePointer(&mapped, pinned, 0), cudaSuccess);
  next_to_pinned<<<1, 32>>>(mapped);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(pinned[31], 41);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 32 * sizeof(int)), cudaSuccess);
  std::fill(managed, managed + 32, 20);
  next_to_pinned<<<1, 32>>>(managed);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(managed[31], 51);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
}

// ---- barriers ----
__global__ void many_barriers(int* out, int rounds) {
  __shared__ int previous[1024], next[1024];
  const int t = threadIdx.x, n = blockDim.x;
  previous[t] = t;
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    next[t] = previous[(t + 1) % n];
    __syncthreads();
    previous[t] = next[t] + 1;
  }
  out[blockIdx.x * n + t] = previous[t];
}

TEST(Barrier, ExchangesWithNeighbors) {
  for (const int n : {1, 31, 32, 33, 200, 1024}) {
    Device<int> out(3 * n);
    many_barriers<<<3, n>>>(out.get(), 40);
    const auto got = out.read();
    for (int i = 0; i < 3 * n; ++i) ASSERT_EQ(got[i], (i % n + 40) % n + 40) << n;
  }
}

__global__ void reductions(int* out) {
  const int count = __syncthreads_count(threadIdx.x % 3 == 0);
  const int all = __syncthreads_and(threadIdx.x < 99);
  const int all_but_one = __syncthreads_and(threadIdx.x != 50);
  const int any = __syncthreads_or(threadIdx.x == 98);
  const int none = __syncthreads_or(threadIdx.x == 99);
  out[threadIdx.x] = count == 33 && all && !all_but_one && any && !none;
}

TEST(Barrier, Reductions) {
  Device<int> out(99);
  reductions<<<1, 99>>>(out.get());
  EXPECT_EQ(out.read(), std::vector<int>(99, 1));
}

// ---- the whole grid ----
// Single-pass scan with decoupled look-back (Merrill and Garland, 2016): blocks wait for the sums
// of those before them.
__device__ unsigned next_tile;

__global__ void look_back(const int* in, int* out, unsigned long long* states, int n) {
  __shared__ int values[256];
  __shared__ int before;
  __shared__ unsigned tile;
  if (threadIdx.x == 0) tile = atomicAdd(&next_tile, 1u);  // so that the tiles before have begun
  __syncthreads();
  const int i = static_cast<int>(tile) * 256 + static_cast<int>(threadIdx.x);
  values[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int& value : values) sum += value, value = sum;
    using State = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
    const auto pack = [](unsigned long long state, int value) {
      return state << 32 | static_cast<unsigned>(value);
    };
    State(states[tile]).store(pack(tile == 0 ? 2 : 1, sum), cuda::memory_order_release);
    int prefix = 0;
    for (int other = static_cast<int>(tile) - 1; other >= 0; --other) {
      unsigned long long state = 0;
      while ((state = State(states[other]).load(cuda::memory_order_acquire)) == 0) {
      }
      prefix += static_cast<int>(static_cast<unsigned>(state));
      if (state >> 32 == 2) break;
    }
    if (tile > 0) State(states[tile]).store(pack(2, prefix + sum), cuda::memory_order_release);
    before = prefix;
  }
  __syncthreads();
  if (i < n) out[i] = before + values[threadIdx.x];
}

TEST(Grid, BlocksWaitForEarlierBlocks) {
  for (const int n : {1, 255, 256, 257, 100000}) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i * 37 % 11 - 5;
    const int tiles = (n + 255) / 256;
    Device<int> in(values), out(n);
    Device<unsigned long long> states(tiles);
    const unsigned zero = 0;
    ASSERT_EQ(cudaMemcpyToSymbol(next_tile, &zero, sizeof zero), cudaSuccess);
    look_back<<<tiles, 256>>>(in.get(), out.get(), states.get(), n);
    std::vector<int> expected(n);
    std::inclusive_scan(values.begin(), values.end(), expected.begin());
    EXPECT_EQ(out.read(), expected);
  }
}

__global__ void grid_steps(int* a, int* b, int n, int steps) {
  const cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; ++step) {
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size()))
      b[i] = a[(i + 1) % n] + 1;
    grid.sync();
    int* swap = a;
    a = b;
    b = swap;
  }
}

TEST(Grid, CooperativeLaunch) {
  const int n = 5000, steps = 20;
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 0);
  Device<int> a(values), b(n);
  int *pa = a.get(), *pb = b.get(), size = n, count = steps;
  void* arguments[] = {&pa, &pb, &size, &count};
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)grid_steps, dim3(12), dim3(64), arguments, 0, 0),
            cudaSuccess);
  const auto got = a.read();
  for (int i = 0; i < n; ++i) ASSERT_EQ(got[i], (i + steps) % n + steps);
}

TEST(Grid, CooperativeLaunchMustFit) {
  Device<int> a(1), b(1);
  int *pa = a.get(), *pb = b.get(), size = 1, count = 1;
  void* arguments[] = {&pa, &pb, &size, &count};
  EXPECT_EQ(
      cudaLaunchCooperativeKernel((void*)grid_steps, dim3(1 << 20), dim3(64), arguments, 0, 0),
      cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
}
