#pragma once
// The libraries' scans, for comparison: Thrust, which allocates its scratch memory in each call,
// and CUB. They come with the CUDA toolkit, so the emulated build does not have them.

#include <cuda_runtime.h>

#ifndef EMULATED_DEVICE
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include <cstddef>
#include <cub/device/device_scan.cuh>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#endif

namespace scan {

#ifdef EMULATED_DEVICE
class ThrustScan;
class CubScan;
#else
class ThrustScan {
 public:
  explicit ThrustScan(size_t /*max_n*/) {}
  void run(const unsigned* in, unsigned* out, size_t n, cudaStream_t stream = nullptr) {
    if (n > 0) thrust::exclusive_scan(thrust::cuda::par.on(stream), in, in + n, out);
  }
};

class CubScan {
 public:
  explicit CubScan(size_t max_n) {
    HANDLE_ERROR(cub::DeviceScan::ExclusiveSum(nullptr, bytes_,
                                               static_cast<const unsigned*>(nullptr),
                                               static_cast<unsigned*>(nullptr), max_n));
    scratch_ = DeviceMemory<unsigned char>(bytes_);
  }
  void run(const unsigned* in, unsigned* out, size_t n, cudaStream_t stream = nullptr) {
    if (n > 0)
      HANDLE_ERROR(cub::DeviceScan::ExclusiveSum(scratch_.get(), bytes_, in, out, n, stream));
  }

 private:
  size_t bytes_ = 0;
  DeviceMemory<unsigned char> scratch_;
};
#endif

}  // namespace scan
