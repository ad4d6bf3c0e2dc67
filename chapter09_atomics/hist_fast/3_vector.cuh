#pragma once
// vector - vectorized loads of 16 bytes.
//
//   ./run hist_fast --method vector
//
// With one byte per load a warp has 32 bytes in flight. With a uint4 per lane it has 512, for the
// same number of instructions. A load of 16 bytes must be aligned to 16 bytes. The bytes may begin
// at any address, so they are divided into
//
//     head | aligned vectors | tail        with up to 15 bytes in head and in tail
//
// Gain over occupancy on an H200: 100 MiB 0.155 -> 0.0522 ms
// The bottleneck has moved from the loads to the additions. The 32 lanes of a warp update random
// bins. Several of these bins are in the same bank, and a bank serves one at a time.
//
// Needed: ../hist_common.h (bin_count), 2_occupancy.cuh (resident_blocks()).

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../../common/book.h"
#include "../hist_common.h"
#include "2_occupancy.cuh"

namespace hist_fast {

constexpr unsigned vector_threads = 256;
static_assert(vector_threads == bin_count, "thread i of a block clears and merges bin i");

/// Adds the counts of `size` bytes to the bins of `histogram`. Any grid, vector_threads per
/// block.
static __global__ void count_vectors(const unsigned char* bytes, size_t size, unsigned* histogram) {
  __shared__ unsigned bins[bin_count];
  bins[threadIdx.x] = 0;
  __syncthreads();

  // The bytes from here to the next multiple of 16, as unsigned numbers wrap around.
  const size_t to_boundary = -reinterpret_cast<std::uintptr_t>(bytes) % sizeof(uint4);
  const size_t head = to_boundary < size ? to_boundary : size;
  const auto* const vectors = reinterpret_cast<const uint4*>(bytes + head);
  const auto count = static_cast<unsigned>((size - head) / sizeof(uint4));  // below 2^28

  // The first threads of the first block count one byte each of head and tail.
  const size_t aligned = count * sizeof(uint4);
  if (blockIdx.x == 0 && threadIdx.x < size - aligned) {
    const size_t at = threadIdx.x < head ? threadIdx.x : threadIdx.x + aligned;
    atomicAdd(&bins[bytes[at]], 1u);
  }

  const unsigned stride = blockDim.x * gridDim.x;
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < count; i += stride) {
    const uint4 v = vectors[i];
    const unsigned words[] = {v.x, v.y, v.z, v.w};
    for (const unsigned word : words)
      for (int shift = 0; shift < 32; shift += 8) atomicAdd(&bins[(word >> shift) & 255], 1u);
  }

  __syncthreads();
  atomicAdd(&histogram[threadIdx.x], bins[threadIdx.x]);
}

class VectorHistogram {
 public:
  void run(const unsigned char* bytes, size_t size, unsigned* histogram,
           cudaStream_t stream = nullptr) const {
    // A short input needs fewer blocks.
    const auto needed = static_cast<unsigned>(size / (vector_threads * sizeof(uint4)) + 1);
    HANDLE_ERROR(cudaMemsetAsync(histogram, 0, bin_count * sizeof *histogram, stream));
    count_vectors<<<std::min(blocks_, needed), vector_threads, 0, stream>>>(bytes, size, histogram);
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  unsigned blocks_ = resident_blocks(count_vectors, vector_threads);
};

}  // namespace hist_fast
