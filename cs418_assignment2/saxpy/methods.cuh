#pragma once
// The ladder of kernels: one line per rung, from plain to fast. --help, --benchmark and the benchmark program
// go through this table. The ladder of trips is in trips.cuh.

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/method_table.h"
#include "1_simple.cuh"
#include "2_vector.cuh"
#include "library.cuh"

/// Starts z[i] = a x[i] + y[i] for i < n in the stream. The arrays are aligned to 16 bytes, as cudaMalloc
/// returns them.
using Saxpy = void(std::size_t n, float a, const float* x, const float* y, float* z, cudaStream_t stream);

struct SaxpyMethod : Method<Saxpy> {
  bool in_place = false;  ///< works on y itself: fastest with y == z, else it copies first
};

inline const MethodTable<Saxpy, SaxpyMethod>& saxpy_methods() {
  static const MethodTable<Saxpy, SaxpyMethod> table{
      {method<Saxpy, SimpleSaxpy>("simple", "one element per thread")},
      {method<Saxpy, VectorSaxpy>("vector", "four elements per thread, 16 bytes per access")},
      {gpu_method<Saxpy, CublasSaxpy>("cublas", "cublasSaxpy, in place"), true}};
  return table;
}
