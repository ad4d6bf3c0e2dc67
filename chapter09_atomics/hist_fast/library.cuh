#pragma once
// `library`, for comparison: cub::DeviceHistogram of the CUDA toolkit (gpu build only).
//
//   ./run hist_fast --method library

#include <cuda_runtime.h>

#ifndef EMULATED_DEVICE
#include <algorithm>
#include <cstddef>
#include <cub/device/device_histogram.cuh>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../hist_common.h"
#endif

namespace hist_fast {

#ifdef EMULATED_DEVICE
class LibraryHistogram;
#else
class LibraryHistogram {
 public:
  // From 2 GiB on, CUB uses another kernel, with other numbers of blocks. The memory is enough for
  // both.
  LibraryHistogram() {
    size_t small = 0;
    size_t large = 0;
    HANDLE_ERROR(count(nullptr, small, nullptr, size_t{1} << 30, nullptr, nullptr));
    HANDLE_ERROR(count(nullptr, large, nullptr, max_bytes, nullptr, nullptr));
    scratch_ = DeviceMemory<unsigned char>(std::max(small, large));
  }

  void run(const unsigned char* bytes, size_t size, unsigned* histogram,
           cudaStream_t stream = nullptr) {
    size_t scratch_bytes = scratch_.bytes();
    HANDLE_ERROR(count(scratch_.get(), scratch_bytes, bytes, size, histogram, stream));
  }

 private:
  static cudaError_t count(void* scratch, size_t& scratch_bytes, const unsigned char* bytes,
                           size_t size, unsigned* histogram, cudaStream_t stream) {
    return cub::DeviceHistogram::HistogramEven(scratch, scratch_bytes, bytes, histogram, 257, 0,
                                               256, static_cast<long long>(size), stream);
  }

  DeviceMemory<unsigned char> scratch_;
};
#endif

}  // namespace hist_fast
