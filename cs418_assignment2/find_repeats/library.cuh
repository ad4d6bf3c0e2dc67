#pragma once
// CUB, for comparison. It comes with the CUDA toolkit, so the emulated build does not have it.

#include <cuda_runtime.h>

#ifndef EMULATED_DEVICE
#include <thrust/iterator/counting_iterator.h>

#include <cstddef>
#include <cub/device/device_select.cuh>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#endif

namespace find_repeats {

#ifdef EMULATED_DEVICE
class CubRepeats;
#else
/// For cub::DeviceSelect: does a repeat start at i?
struct StartsRepeat {
  const int* in;
  size_t n;
  __device__ bool operator()(int i) const { return i + size_t{1} < n && in[i] == in[i + 1]; }
};

class CubRepeats {
 public:
  explicit CubRepeats(size_t max_n) : device_count_(1), count_(1) {
    HANDLE_ERROR(cub::DeviceSelect::If(nullptr, bytes_, thrust::counting_iterator<int>(0),
                                       static_cast<int*>(nullptr), static_cast<unsigned*>(nullptr),
                                       static_cast<int>(max_n), StartsRepeat{nullptr, max_n}));
    scratch_ = DeviceMemory<unsigned char>(bytes_);
  }

  size_t run(const int* in, size_t n, int* out) {
    if (n < 2) return 0;
    HANDLE_ERROR(cub::DeviceSelect::If(scratch_.get(), bytes_, thrust::counting_iterator<int>(0),
                                       out, device_count_.get(), static_cast<int>(n),
                                       StartsRepeat{in, n}));
    HANDLE_ERROR(
        cudaMemcpy(count_.get(), device_count_.get(), sizeof(unsigned), cudaMemcpyDeviceToHost));
    return *count_.get();
  }

 private:
  size_t bytes_ = 0;
  DeviceMemory<unsigned char> scratch_;
  DeviceMemory<unsigned> device_count_;
  PinnedMemory<unsigned> count_;
};
#endif

}  // namespace find_repeats
