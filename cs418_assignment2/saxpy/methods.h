#pragma once
// What every kernel of the ladder does, and the table of them, which methods.cu fills. The ladder of trips is in
// trips.cuh.

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/method_table.h"

/// Starts z[i] = a x[i] + y[i] for i < n in the stream. The arrays are aligned to 16 bytes, as cudaMalloc
/// returns them.
using Saxpy = void(std::size_t n, float a, const float* x, const float* y, float* z, cudaStream_t stream);

struct SaxpyMethod : Method<Saxpy, std::size_t> {
  bool in_place = false;  ///< works on y itself: fastest with y == z, else it copies first
};

/// All kernels, from plain to fast.
const MethodTable<SaxpyMethod>& saxpy_methods();
