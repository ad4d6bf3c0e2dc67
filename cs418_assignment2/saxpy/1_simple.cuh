#pragma once
// simple - one element per thread.
//
//   ./run saxpy --method simple
//
// A load of a warp moves 128 bytes; then every thread waits for it. Accesses so small do not keep
// the memory busy all the time, and a kernel that does hardly more than load and store is bound by
// the memory.
//
// Time on an H200: 100 million elements 0.352 ms

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/book.h"
#include "../../common/grid.h"

namespace saxpy {

/// The grid has at least n threads.
static __global__ void saxpy_simple(size_t n, float a, const float* x, const float* y, float* z) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i < n) z[i] = a * x[i] + y[i];
}

inline void run_simple(size_t n, float a, const float* x, const float* y, float* z,
                       cudaStream_t stream) {
  if (n == 0) return;
  constexpr unsigned threads = 256;
  saxpy_simple<<<div_up(n, threads), threads, 0, stream>>>(n, a, x, y, z);
  HANDLE_ERROR(cudaGetLastError());
}

}  // namespace saxpy
