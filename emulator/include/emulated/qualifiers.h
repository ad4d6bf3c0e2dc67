// CUDA's keywords. On the emulated device kernels and device functions are ordinary functions, and
// a memory space is a storage class of C++.
#pragma once

#define EMULATED_DEVICE 1

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __managed__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
// __noinline__ is a job for the translator: as a macro it would break the
// standard library's __attribute__s.

// Constant memory and __device__ variables are plain variables: all blocks see the same one.
#define __constant__

// Shared memory: a block never leaves its OS thread, and an OS thread runs one block at a time. So
// one copy for each OS thread is one copy for each running block.
#define __shared__ static thread_local
