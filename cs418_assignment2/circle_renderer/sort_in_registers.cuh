#pragma once
// A sorting network in registers, for a handful of numbers in each thread.

#include <cuda_runtime.h>

/// Batcher's odd-even merge sort of N numbers in registers: which pairs are compared does not depend on the
/// numbers, so with everything unrolled there is no branch and no indexing. (D. Knuth, The Art of Computer
/// Programming, volume 3, algorithm 5.2.2M.)
template <int N, int Run = 1, int Distance = 1>
__device__ inline void sort_in_registers(unsigned (&keys)[N]) {
#pragma unroll
  for (int i = Distance % Run; i < N - Distance; ++i) {
    const bool compared =
        (i - Distance % Run) % (2 * Distance) < Distance && i / (2 * Run) == (i + Distance) / (2 * Run);
    if (compared) {
      const unsigned smaller = min(keys[i], keys[i + Distance]), larger = max(keys[i], keys[i + Distance]);
      keys[i] = smaller;
      keys[i + Distance] = larger;
    }
  }
  if constexpr (Distance > 1)
    sort_in_registers<N, Run, Distance / 2>(keys);
  else if constexpr (2 * Run < N)
    sort_in_registers<N, 2 * Run, 2 * Run>(keys);
}
