#pragma once
// sweep - the work-efficient scan, as in the handout: up-sweep and down-sweep, a launch per level.
//
// Blelloch, "Prefix sums and their applications", 1990; GPU Gems 3, chapter 39. The up-sweep adds
// pairs, then pairs of pairs, until the last element holds the sum of all. The down-sweep goes back
// and passes to every half the sum of everything before it. One launch per level, 2 log2(n) in all.
//
//   ./run scan -n 1000000 --method sweep
//
// Its bottleneck: every level goes through the array in global memory, and a deep level accesses
// one number in each 32-byte sector, so memory moves eight times what is used.
//
// Time on an H200: 10^6 numbers 0.159, 2^28 numbers 8.99 ms

#include <cuda_runtime.h>

#include <bit>
#include <cstddef>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"

namespace scan {

/// Adds the last element of each left half to the last of the right: `half` elements each. One
/// thread per pair of halves; `data` has 2 * half * pairs elements.
static __global__ void sweep_up(unsigned* data, size_t pairs, size_t half) {
  const size_t pair = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (pair >= pairs) return;
  unsigned* left_end = data + (2 * pair + 1) * half - 1;
  left_end[half] += *left_end;
}

/// Before: the last element of the pair is the sum of everything before the pair. After: the last
/// element of each half is the sum of everything before this half.
static __global__ void sweep_down(unsigned* data, size_t pairs, size_t half) {
  const size_t pair = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (pair >= pairs) return;
  unsigned* left_end = data + (2 * pair + 1) * half - 1;
  const unsigned left_sum = *left_end;
  *left_end = left_end[half];
  left_end[half] += left_sum;
}

class SweepScan {
 public:
  /// Scratch memory: a copy of the array, padded with zeros to a power of two, so that any n works.
  explicit SweepScan(size_t max_n) : copy_(std::bit_ceil(max_n)) {}

  void run(const unsigned* in, unsigned* out, size_t n, cudaStream_t stream = nullptr) {
    if (n == 0) return;
    constexpr int threads = 256;
    const size_t padded = std::bit_ceil(n);
    unsigned* data = copy_.get();
    HANDLE_ERROR(cudaMemcpyAsync(data, in, n * sizeof *data, cudaMemcpyDeviceToDevice, stream));
    if (padded > n) HANDLE_ERROR(cudaMemsetAsync(data + n, 0, (padded - n) * sizeof *data, stream));
    for (size_t half = 1; half < padded; half *= 2) {
      const size_t pairs = padded / (2 * half);
      sweep_up<<<div_up(pairs, threads), threads, 0, stream>>>(data, pairs, half);
      HANDLE_ERROR(cudaGetLastError());
    }
    // The sum before the whole array is 0.
    HANDLE_ERROR(cudaMemsetAsync(data + padded - 1, 0, sizeof *data, stream));
    for (size_t half = padded / 2; half > 0; half /= 2) {
      const size_t pairs = padded / (2 * half);
      sweep_down<<<div_up(pairs, threads), threads, 0, stream>>>(data, pairs, half);
      HANDLE_ERROR(cudaGetLastError());
    }
    HANDLE_ERROR(cudaMemcpyAsync(out, data, n * sizeof *data, cudaMemcpyDeviceToDevice, stream));
  }

 private:
  DeviceMemory<unsigned> copy_;
};

}  // namespace scan
