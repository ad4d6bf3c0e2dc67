// What CUDA knows from declarations alone: launch bounds, static shared memory, constants, which
// variables are the device's.
#include <cuda_runtime.h>

#include <algorithm>

#include "semantics_main.h"

namespace {

// ---- launch bounds ----
__global__ void __launch_bounds__(64) bounded(int* out) { out[threadIdx.x] = 1; }
template <class T, int most>
__global__ void __launch_bounds__(most, 1) bounded_template(T* __restrict__ out, const int n) {
  if (static_cast<int>(threadIdx.x) < n) out[threadIdx.x] = T(1);
}
__global__ void unbounded(int* out) { out[threadIdx.x] = 1; }

TEST(LaunchBounds, MoreThreadsAreAnInvalidValue) {
  Device<int> out(1024);
  bounded<<<1, 64>>>(out.get());
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  bounded<<<1, 128>>>(out.get());
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  bounded_template<int, 256><<<1, 257>>>(out.get(), 5);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  bounded_template<int, 512><<<1, 257>>>(out.get(), 5);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(LaunchBounds, AreAttributesOfTheKernel) {
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, bounded), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 64);
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, bounded_template<float, 352>), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 352);
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, unbounded), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  int grid = 0, block = 0;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded), cudaSuccess);
  EXPECT_LE(block, 64);
}

// ---- shared memory ----
template <class T, int n>
__global__ void shares(T* out) {
  __shared__ T values[n];
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
    values[i] = out[0] + T(i);
  __syncthreads();
  out[threadIdx.x] = values[n - 1 - static_cast<int>(threadIdx.x)];
}

__global__ void shares_both(int* out, int n) {
  __shared__ int fixed[4096];  // 16 KiB
  extern __shared__ int dynamic[];
  fixed[threadIdx.x] = dynamic[n - 1] = out[0];
  __syncthreads();
  out[threadIdx.x] = fixed[n % 32] + dynamic[n - 1];
}

std::size_t shared_bytes_of(void (*kernel)(int*)) {
  cudaFuncAttributes attributes{};
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, kernel), cudaSuccess);
  return attributes.sharedSizeBytes;
}

TEST(SharedMemory, SizesAreAttributesOfTheKernel) {
  EXPECT_EQ(shared_bytes_of(unbounded), 0u);
  EXPECT_EQ((shared_bytes_of(shares<int, 1024>)), 1024 * sizeof(int));
  EXPECT_EQ((shared_bytes_of(shares<int, 2000>)), 2000 * sizeof(int));
  cudaFuncAttributes attributes{};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, shares<double, 100>), cudaSuccess);
  EXPECT_EQ(attributes.sharedSizeBytes, 100 * sizeof(double));
  EXPECT_LE(attributes.constSizeBytes,
            64u << 10);  // a GPU counts the module's __constant__ variables
}

#ifdef EMULATED_DEVICE  // nvcc does not compile it
__global__ void shares_too_much(int* out) {
  __shared__ int first[8 << 10], second[8 << 10];
  first[threadIdx.x] = second[threadIdx.x] = 1;
  out[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}

TEST(SharedMemory, StaticVariablesTogetherHaveALimit) {
  Device<int> out(32);
  shares_too_much<<<1, 32>>>(out.get());
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}
#endif

TEST(SharedMemory, StaticAndDynamicTogetherHaveALimit) {
  Device<int> out(32);
  const int kib = 1024;
  shares_both<<<1, 32, 32 * kib>>>(out.get(), 32 * kib / 4);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  shares_both<<<1, 32, 32 * kib + 16>>>(out.get(), 32 * kib / 4);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  int most = 0, device = 0;
  ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
            cudaSuccess);
  EXPECT_ERROR(cudaFuncSetAttribute(shares_both, cudaFuncAttributeMaxDynamicSharedMemorySize, most),
               cudaErrorInvalidValue);
  ASSERT_EQ(cudaFuncSetAttribute(shares_both, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 most - 16 * kib),
            cudaSuccess);
  shares_both<<<1, 32, static_cast<std::size_t>(most - 16 * kib)>>>(out.get(), 32 * kib / 4);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

// ---- constants and other variables of the device ----
__constant__ float coefficients[100];
__constant__ const int sizes[3] = {1, 2, 3}, more_sizes[2] = {4, 5};
__device__ int counter, *pointer_to_counter = &counter;
__managed__ int managed_value = 3;
namespace inner {
__device__ double in_a_namespace[2];
}
#define ON_DEVICE __device__
ON_DEVICE int declared_by_macro = 7;

TEST(Symbols, VariablesOfTheDeviceInEverySpelling) {
  int value = 0, two[2] = {};
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, declared_by_macro, sizeof value), cudaSuccess);
  EXPECT_EQ(value, 7);
  ASSERT_EQ(cudaMemcpyFromSymbol(two, more_sizes, sizeof two), cudaSuccess);
  EXPECT_EQ(two[1], 5);
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, sizes, sizeof value, 2 * sizeof value), cudaSuccess);
  EXPECT_EQ(value, 3);
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, managed_value, sizeof value), cudaSuccess);
  EXPECT_EQ(value, 3);
  void *direct = nullptr, *stored = nullptr;
  ASSERT_EQ(cudaGetSymbolAddress(&direct, counter), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromSymbol(&stored, pointer_to_counter, sizeof stored), cudaSuccess);
  EXPECT_EQ(stored, direct);
  std::size_t bytes = 0;
  ASSERT_EQ(cudaGetSymbolSize(&bytes, inner::in_a_namespace), cudaSuccess);
  EXPECT_EQ(bytes, 2 * sizeof(double));
  ASSERT_EQ(cudaGetSymbolSize(&bytes, coefficients), cudaSuccess);
  EXPECT_EQ(bytes, sizeof coefficients);
}

}  // namespace
