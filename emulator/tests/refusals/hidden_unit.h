#pragma once
#include <cuda_runtime.h>

namespace hidden_unit {

/// What both files of the test compile. Never inlined, so that the linker
/// could take one copy for the other.
[[gnu::noinline]] __device__ inline unsigned own_index() {
  return threadIdx.x + blockDim.x * blockIdx.x;
}

template <int factor>
__global__ void write_indices(unsigned* out) {
  out[own_index()] = factor * own_index();
}

/// Launches write_indices<factor> with 2 blocks of 64 threads. Is out[i] == factor * i?
template <int factor>
inline bool indices_are_right() {
  constexpr unsigned count = 128;
  unsigned *out, host[count] = {};
  if (cudaMalloc(&out, sizeof host) != cudaSuccess) return false;
  write_indices<factor><<<2, 64>>>(out);
  if (cudaGetLastError() != cudaSuccess) return false;
  if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return false;
  if (cudaFree(out) != cudaSuccess) return false;
  for (unsigned i = 0; i < count; ++i)
    if (host[i] != factor * i) return false;
  return true;
}

/// indices_are_right<3>() and <5>(), in the library's file.
bool right_in_library();

}  // namespace hidden_unit
