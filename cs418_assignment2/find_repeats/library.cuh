#pragma once
// The library's way, the yardstick: CUB. It comes with the CUDA toolkit, so the emulated build has not got
// it.

#include <cuda_runtime.h>

#ifdef EMULATED_DEVICE
class CubRepeats;
#else
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cub/device/device_select.cuh>

#include "../../common/book.h"
#include "../../common/device_memory.h"

/// For cub::DeviceSelect: does a repeat start at i?
struct StartsRepeat {
  const int* in;
  std::size_t n;
  __device__ bool operator()(int i) const { return i + std::size_t{1} < n && in[i] == in[i + 1]; }
};

class CubRepeats {
 public:
  explicit CubRepeats(std::size_t most) : device_count_(1), count_(1) {
    HANDLE_ERROR(cub::DeviceSelect::If(nullptr, bytes_, thrust::counting_iterator<int>(0),
                                       static_cast<int*>(nullptr), static_cast<unsigned*>(nullptr),
                                       static_cast<int>(most), StartsRepeat{nullptr, most}));
    scratch_ = DeviceMemory<unsigned char>(bytes_);
  }

  std::size_t run(const int* in, std::size_t n, int* out, std::size_t capacity) {
    if (n < 2) return 0;
    // CUB knows no capacity: where `out` may be too small it gets room of its own, and then what fits is
    // copied.
    DeviceMemory<int> room;
    if (capacity < n) room = DeviceMemory<int>(n);
    HANDLE_ERROR(cub::DeviceSelect::If(scratch_.get(), bytes_, thrust::counting_iterator<int>(0),
                                       capacity < n ? room.get() : out, device_count_.get(),
                                       static_cast<int>(n), StartsRepeat{in, n}));
    HANDLE_ERROR(cudaMemcpy(count_.get(), device_count_.get(), sizeof(unsigned), cudaMemcpyDeviceToHost));
    const std::size_t count = *count_.get();
    if (capacity < n && std::min(count, capacity) > 0)
      HANDLE_ERROR(
          cudaMemcpy(out, room.get(), std::min(count, capacity) * sizeof *out, cudaMemcpyDeviceToDevice));
    return count;
  }

 private:
  std::size_t bytes_ = 0;
  DeviceMemory<unsigned char> scratch_;
  DeviceMemory<unsigned> device_count_;
  PinnedMemory<unsigned> count_;
};
#endif
