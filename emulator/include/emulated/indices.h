// threadIdx, blockIdx, blockDim and gridDim.
//
// They are variables of the OS thread that runs the block, private to the translation unit: nothing
// else can change them and their address is never taken, so the compiler keeps them in registers
// and can turn the loop over the threads of a block into vector instructions. The price: an inline
// function of a header that two .cu files of one program share would be compiled once, with the
// variables of one of the two. Such programs are compiled with EMULATED_SHARED_INDICES=1 (slower
// loops); without it the runtime refuses the second file's launches. The other way: a unit that
// keeps its copies of inline functions to itself, because g++ compiled it with -fwhole-program.
// EMULATED_HIDDEN_UNIT says so, and any number of them may join a program.
#pragma once

#include <cstddef>

#include "../vector_types.h"

// EMULATED_OWN: an OS thread's own variable. In .tdata it lies in front of the kernels'
// shared memory, which is in .tbss: who writes past the end of a __shared__ array, by an
// index that is one too large, does not come here. (The linker cannot join inline
// variables in a section that is named.)
#ifdef EMULATED_SHARED_INDICES
#define EMULATED_LOCAL inline
#define EMULATED_OWN [[maybe_unused]] EMULATED_LOCAL thread_local constinit
#else
#define EMULATED_LOCAL static
#define EMULATED_OWN [[maybe_unused, gnu::section(".tdata")]] EMULATED_LOCAL thread_local constinit
#endif

EMULATED_OWN uint3 threadIdx{};
EMULATED_OWN uint3 blockIdx{};
EMULATED_OWN dim3 blockDim{};
EMULATED_OWN dim3 gridDim{};
constexpr int warpSize = 32;

namespace emulated {

// Did a thread of the present block have to wait for others? Then the block
// left the simple loop (launch.h).
EMULATED_OWN bool suspended = false;

// Which of the kernel's loops over the whole grid were run for all threads of the present block,
// may more of them be, and is one being run? (the pack grid_loops)
struct StridedLoops {
  unsigned done = 0;
  bool allowed = false, running = false;
};
EMULATED_OWN StridedLoops strided_loops{};

// The number of the present thread within its block: x fastest, as CUDA orders them into warps.
[[maybe_unused]] static inline unsigned thread_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
[[maybe_unused]] static inline unsigned lane() { return thread_rank() % 32; }

// An index in 64 bits, as a distance from threadIdx.x. An int may wrap around (-fwrapv), and if it
// might do so between two threads, the compiler does not see that these use neighboring elements.
// The distance is often the same for all threads of a row: then it has wrapped around for all of
// them or for none. (INT_MIN and what is less than a block away from it become something else; no
// memory is there.)
[[maybe_unused, gnu::always_inline]] static inline std::ptrdiff_t beside_thread(int index) {
  const int distance = static_cast<int>(static_cast<unsigned>(index) - threadIdx.x);
  return std::ptrdiff_t{distance} + static_cast<int>(threadIdx.x);
}

}  // namespace emulated
