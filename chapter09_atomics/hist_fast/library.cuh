#pragma once
// The yardstick, `library`: cub::DeviceHistogram of the CUDA toolkit (gpu build only).
//
//   ./run hist_fast --method library

#include <cuda_runtime.h>

#include <cstddef>

#ifndef EMULATED_DEVICE
#include <cub/device/device_histogram.cuh>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../hist_common.h"

class LibraryHistogram {
 public:
  explicit LibraryHistogram(std::size_t most) {
    std::size_t bytes = 0;
    HANDLE_ERROR(count(nullptr, bytes, nullptr, most, nullptr));
    scratch_ = DeviceMemory<unsigned char>(bytes);
  }

  void run(const unsigned char* bytes, std::size_t size, unsigned* histogram) {
    std::size_t scratch_bytes = scratch_.bytes();
    HANDLE_ERROR(count(scratch_.get(), scratch_bytes, bytes, size, histogram));
  }

 private:
  // 257 levels bound 256 bins of width 1.
  static cudaError_t count(void* scratch, std::size_t& scratch_bytes, const unsigned char* bytes,
                           std::size_t size, unsigned* histogram) {
    return cub::DeviceHistogram::HistogramEven(scratch, scratch_bytes, bytes, histogram,
                                               static_cast<int>(bin_count) + 1, 0,
                                               static_cast<int>(bin_count), static_cast<long long>(size));
  }

  DeviceMemory<unsigned char> scratch_;
};
#else
class LibraryHistogram;
#endif
