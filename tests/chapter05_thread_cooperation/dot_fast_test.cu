// Every rung of dot_fast at awkward sizes, and its kernels with any grid.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "../../chapter05_thread_cooperation/dot_fast/4_atomic.cuh"
#include "../../chapter05_thread_cooperation/dot_fast/5_vector.cuh"
#include "../../chapter05_thread_cooperation/dot_fast/methods.h"
#include "../../common/device_memory.h"

using namespace dot_fast;

// Not in an unnamed namespace: there nvcc calls the members that GoogleTest adds unused.

// Small whole numbers, so that every sum is exact; a wrong element changes it.
struct Vectors {
  explicit Vectors(std::size_t n) : host_a(n), host_b(n), a(n), b(n), result(1) {
    for (std::size_t i = 0; i < n; ++i) {
      host_a[i] = static_cast<float>(i % 7) - 3;
      host_b[i] = static_cast<float>(i % 11) - 4;
    }
    HANDLE_ERROR(cudaMemcpy(a.get(), host_a.data(), a.bytes(), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(b.get(), host_b.data(), b.bytes(), cudaMemcpyHostToDevice));
  }
  float expected(std::size_t n) const {
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += host_a[i] * host_b[i];
    return sum;
  }
  float sum() const {
    float host;
    HANDLE_ERROR(cudaMemcpy(&host, result.get(), sizeof host, cudaMemcpyDeviceToHost));
    return host;
  }
  std::vector<float> host_a, host_b;
  DeviceMemory<float> a, b, result;
};

TEST(DotFast, EveryRungAtAwkwardSizes) {
  const Vectors vectors(100'003);
  for (const DotMethod& method : methods()) {
    if (!method.built()) continue;
    const auto dot = method.make();
    for (const std::size_t n : {0,   1,   2,   3,    4,    5,    7,    8,    31,   32,     33,
                                255, 256, 257, 2047, 2048, 2049, 8191, 8192, 8193, 100'003}) {
      HANDLE_ERROR(cudaMemset(vectors.result.get(), 0xff, sizeof(float)));
      dot(vectors.a.get(), vectors.b.get(), n, vectors.result.get());
      EXPECT_EQ(vectors.sum(), vectors.expected(n)) << method.name << ", " << n << " elements";
    }
  }
}

TEST(DotFast, KernelsWithAnyGrid) {
  const Vectors vectors(50'001);
  const auto sum_of = [&](auto kernel, unsigned blocks, std::size_t n) {
    HANDLE_ERROR(cudaMemset(vectors.result.get(), 0, sizeof(float)));
    kernel<<<blocks, shuffle_threads>>>(vectors.a.get(), vectors.b.get(), n, vectors.result.get());
    HANDLE_ERROR(cudaGetLastError());
    return vectors.sum();
  };
  for (const unsigned blocks : {1u, 2u, 3u, 7u})
    for (const std::size_t n : {1, 1023, 1024, 1025, 50'001}) {
      EXPECT_EQ(sum_of(dot_atomic, blocks, n), vectors.expected(n)) << blocks << " blocks, " << n;
      EXPECT_EQ(sum_of(dot_vector, blocks, n), vectors.expected(n)) << blocks << " blocks, " << n;
    }
}
