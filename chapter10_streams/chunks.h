#pragma once
// The shared parts of the chapter's samples: vectors in page-locked memory, a stream with its
// device memory, and the formula of the kernels. The vectors pass through the device in chunks.
// The formula has no meaning.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/random.h"

/// Two inputs and the result in the host's memory, n elements each.
struct Vectors {
  size_t n;
  unsigned* a;
  unsigned* b;
  unsigned* c;
};

/// The memory is page-locked, because only its copies overlap with other work. The inputs have 30
/// bits, so the sum of three of them has at most 32.
inline Vectors make_vectors(size_t n, std::uint64_t seed) {
  Vectors host{.n = n, .a = nullptr, .b = nullptr, .c = nullptr};
  HANDLE_ERROR(cudaHostAlloc(&host.a, n * sizeof(unsigned), cudaHostAllocDefault));
  HANDLE_ERROR(cudaHostAlloc(&host.b, n * sizeof(unsigned), cudaHostAllocDefault));
  HANDLE_ERROR(cudaHostAlloc(&host.c, n * sizeof(unsigned), cudaHostAllocDefault));
  Random random(seed);
  for (size_t i = 0; i < n; ++i) {
    host.a[i] = static_cast<unsigned>(random.bits() >> 34);
    host.b[i] = static_cast<unsigned>(random.bits() >> 34);
    host.c[i] = 0;
  }
  return host;
}

inline void free_vectors(const Vectors& host) {
  HANDLE_ERROR(cudaFreeHost(host.a));
  HANDLE_ERROR(cudaFreeHost(host.b));
  HANDLE_ERROR(cudaFreeHost(host.c));
}

/// The chunk that begins at `first`: shorter at the end of the vectors, and empty after it.
inline Vectors chunk_of(const Vectors& host, size_t first, size_t chunk) {
  first = std::min(first, host.n);
  return {std::min(chunk, host.n - first), host.a + first, host.b + first, host.c + first};
}

/// A stream with its own device memory for one chunk of each vector.
struct Pipeline {
  cudaStream_t stream;
  unsigned* a;
  unsigned* b;
  unsigned* c;
};

inline Pipeline make_pipeline(size_t chunk) {
  Pipeline pipeline;
  HANDLE_ERROR(cudaStreamCreate(&pipeline.stream));
  HANDLE_ERROR(cudaMalloc(&pipeline.a, chunk * sizeof(unsigned)));
  HANDLE_ERROR(cudaMalloc(&pipeline.b, chunk * sizeof(unsigned)));
  HANDLE_ERROR(cudaMalloc(&pipeline.c, chunk * sizeof(unsigned)));
  return pipeline;
}

inline void free_pipeline(const Pipeline& pipeline) {
  HANDLE_ERROR(cudaFree(pipeline.a));
  HANDLE_ERROR(cudaFree(pipeline.b));
  HANDLE_ERROR(cudaFree(pipeline.c));
  HANDLE_ERROR(cudaStreamDestroy(pipeline.stream));
}

inline std::vector<Pipeline> make_pipelines(int count, size_t chunk) {
  std::vector<Pipeline> pipelines;
  for (int i = 0; i < count; ++i) pipelines.push_back(make_pipeline(chunk));
  return pipelines;
}

inline void free_pipelines(const std::vector<Pipeline>& pipelines) {
  for (const Pipeline& pipeline : pipelines) free_pipeline(pipeline);
}

/// The mean of three elements of a and three of b. The neighbors of a chunk's last elements are its
/// first elements.
__host__ __device__ inline unsigned mean(size_t i, size_t count, const unsigned* a,
                                         const unsigned* b) {
  const size_t next = (i + 1) % count;
  const size_t after = (i + 2) % count;
  const float mean_a = static_cast<float>(a[i] + a[next] + a[after]) / 3;
  const float mean_b = static_cast<float>(b[i] + b[next] + b[after]) / 3;
  return static_cast<unsigned>((mean_a + mean_b) / 2);
}

/// Each further round adds the mean of the next element: more of the same work.
__host__ __device__ inline unsigned mean_sum(size_t i, size_t count, const unsigned* a,
                                             const unsigned* b, int rounds) {
  unsigned sum = 0;
  for (int round = 0; round < rounds; ++round) sum += mean((i + round) % count, count, a, b);
  return sum;
}

/// Compares c with the CPU reference, chunk after chunk, bit by bit.
inline bool means_agree(const Vectors& host, size_t chunk, int rounds = 1) {
  std::vector<unsigned> expected(host.n);
  for (size_t first = 0; first < host.n; first += chunk) {
    const auto [count, a, b, c] = chunk_of(host, first, chunk);
    for (size_t i = 0; i < count; ++i) expected[first + i] = mean_sum(i, count, a, b, rounds);
  }
  return check_equal("mean", std::span<const unsigned>(host.c, host.n),
                     std::span<const unsigned>(expected));
}
