// exercise lock - a lock between blocks: two numbers that belong together, and fences.
//
// Appendix A of CUDA by Example, section A.1. The blocks look for the greatest number and its
// index. The two are only right together, and one atomic function changes one of them. So a block
// locks both, and the other blocks wait.
//
//   ./run try lock             PASS, or what is wrong
//   ./run my_lock.cu -n 50     one size only
#include "book.h"

struct Best {
  int value;
  int index;
};

__device__ int taken = 0;  // 0: the lock is free; 1: a block has it

__device__ void lock() {
  // TODO 1: atomicCAS(&taken, 0, 1) writes 1 if there is a 0, and returns what was there before.
  // Who has the lock now, and who must try again?

  // TODO 2: a fence, __threadfence(), and another one in unlock(). Where, so that the next owner
  // sees what the last one has written?
}

__device__ void unlock() {
  // TODO 3: free the lock, with an atomic function.
}

// One thread per block; its number is a[blockIdx.x].
__global__ void best_kernel(const int* a, Best* best) {
  // TODO 4: if the number is greater than best->value, write it and its index. Is reading
  // best->value part of what the lock has to guard?
}

// a: n different numbers in device memory, none negative. *best is in device memory; its value is
// -1 before the call.
void find_best(const int* a, int n, Best* best) {
  best_kernel<<<n, 1>>>(a, best);
  HANDLE_ERROR(cudaGetLastError());
}
