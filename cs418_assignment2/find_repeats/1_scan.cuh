#pragma once
// scan - flags, their exclusive scan, scatter, as in the course's handout.
//
// Every number that is equal to its successor gets the flag 1, every other 0. The exclusive scan of
// the flags counts those set before each, which is the position of its index in the output.
//
//   ./run find_repeats -n 1000000 --method scan
//
// Its bottleneck: three launches, and 24 bytes per number: 4 read and 4 written for the flags, 8
// for the scan, 8 read again.
//
// Time on an H200: 10^6 numbers 0.0318, 2^28 numbers 2.55 ms
//
// Needed: ../scan/5_pipeline.cuh (PipelineScan, used like a library function).

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "../scan/5_pipeline.cuh"

namespace find_repeats {

/// One thread per number.
static __global__ void flag_repeats(const int* in, size_t n, unsigned* flags) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i < n) flags[i] = i + 1 < n && in[i] == in[i + 1];
}

/// One thread per number. places[i]: the number of flags set before i.
static __global__ void scatter_repeats(const int* in, size_t n, const unsigned* places, int* out) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i + 1 < n && in[i] == in[i + 1]) out[places[i]] = static_cast<int>(i);
}

class ScanRepeats {
 public:
  /// Scratch memory: one flag per number, which the scan turns into its place, and the scan's own
  /// memory.
  explicit ScanRepeats(size_t max_n) : scan_(max_n), places_(max_n), count_(1) {}

  size_t run(const int* in, size_t n, int* out, cudaStream_t stream = nullptr) {
    if (n < 2) return 0;
    constexpr int threads = 256;
    unsigned* places = places_.get();
    flag_repeats<<<div_up(n, threads), threads, 0, stream>>>(in, n, places);
    HANDLE_ERROR(cudaGetLastError());
    scan_.run(places, places, n, stream);
    scatter_repeats<<<div_up(n, threads), threads, 0, stream>>>(in, n, places, out);
    HANDLE_ERROR(cudaGetLastError());
    // The last number starts no repeat, so the sum before it is the sum of all.
    HANDLE_ERROR(cudaMemcpyAsync(count_.get(), places + n - 1, sizeof(unsigned),
                                 cudaMemcpyDeviceToHost, stream));
    HANDLE_ERROR(cudaStreamSynchronize(stream));
    return *count_.get();
  }

 private:
  scan::PipelineScan scan_;
  DeviceMemory<unsigned> places_;
  PinnedMemory<unsigned> count_;
};

}  // namespace find_repeats
