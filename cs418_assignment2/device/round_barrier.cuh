#pragma once
// A barrier for blocks whose warps run loops of their own.

#include <cuda_runtime.h>

/// As __syncthreads(), but may stand at several places of a kernel for different warps. CUDA's rule for
/// __syncthreads() is that all threads come to the same one; the hardware's barrier asks only that all
/// threads of the block come to one with this number. (PTX manual, barrier.sync.)
__device__ inline void round_barrier() {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_DEVICE)
  asm volatile("barrier.sync 1, %0;" ::"r"(blockDim.x) : "memory");
#else
  __syncthreads();
#endif
}
