// exercise warp_min - the least of 32 numbers by shuffles: a warp's lanes read from each other.
//
// A warp is 32 threads, its lanes. __shfl_down_sync(mask, value, d) returns to each lane the value
// of the lane d above its own: registers are read, so no shared memory and no barrier is needed.
//
//   ./run try warp_min              PASS, or the first wrong result
//   ./run my_warp_min.cu -n 33      one size only
#include "book.h"

const int threads_per_block = 128;
const unsigned all_lanes = 0xffffffff;
const int limit = 1000000;  // all numbers are from 1 to limit

// TODO 1: predict. In a round each lane keeps the lesser of its own number and one other lane's.
// How many rounds does it take until lane 0 has the least of 32 numbers?
int rounds = 0;

// One thread per number. mins[w] is the least of the numbers 32 * w to 32 * w + 31.
__global__ void min_kernel(const int* in, int n, int* mins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO 2: which number does this lane begin with? All 32 lanes of the mask have to take part in a
  // shuffle, those beyond the last number, too.

  // TODO 3: the rounds. How far is the other lane in the first round, in the next?

  // TODO 4: which lane writes the result, and which warps have one?
}

// in has n numbers, mins has (n + 31) / 32; both are in device memory. The last result may be that
// of fewer than 32 numbers.
void warp_mins(const int* in, int n, int* mins) {
  const int blocks = (n + threads_per_block - 1) / threads_per_block;
  min_kernel<<<blocks, threads_per_block>>>(in, n, mins);
  HANDLE_ERROR(cudaGetLastError());
}
