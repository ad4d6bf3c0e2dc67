#pragma once
// `library`, for comparison: cub::DeviceReduce of the CUDA toolkit (gpu build only), over an
// iterator that multiplies.
//
//   ./run dot_fast --method library

#include <cuda_runtime.h>

#ifndef EMULATED_DEVICE
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <cub/device/device_reduce.cuh>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#endif

namespace dot_fast {

#ifdef EMULATED_DEVICE
class Library;
#else
struct Product {
  const float* a;
  const float* b;
  __host__ __device__ float operator()(size_t i) const { return a[i] * b[i]; }
};

class Library {
 public:
  void run(const float* a, const float* b, size_t n, float* result) {
    const auto products =
        thrust::make_transform_iterator(thrust::counting_iterator<size_t>(0), Product{a, b});
    size_t bytes = 0;
    HANDLE_ERROR(cub::DeviceReduce::Sum(nullptr, bytes, products, result, n));
    if (bytes > scratch_.bytes()) scratch_ = DeviceMemory<unsigned char>(bytes);
    bytes = scratch_.bytes();
    HANDLE_ERROR(cub::DeviceReduce::Sum(scratch_.get(), bytes, products, result, n));
  }

 private:
  DeviceMemory<unsigned char> scratch_;
};
#endif

}  // namespace dot_fast
