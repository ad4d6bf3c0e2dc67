// exercise scan - exclusive prefix sums: result[i] = input[0] + ... + input[i - 1].
//
// Part 2 of the course's assignment. Its handout gives the work-efficient algorithm of Blelloch in
// plain loops:
//   for (int two_d = 1; two_d < N / 2; two_d *= 2)                 // up-sweep
//     parallel_for (int i = 0; i < N; i += 2 * two_d)
//       result[i + 2 * two_d - 1] += result[i + two_d - 1];
//   result[N - 1] = 0;
//   for (int two_d = N / 2; two_d >= 1; two_d /= 2)                // down-sweep
//     parallel_for (int i = 0; i < N; i += 2 * two_d) {
//       int t = result[i + two_d - 1];
//       result[i + two_d - 1] = result[i + 2 * two_d - 1];
//       result[i + 2 * two_d - 1] += t;
//     }
//
//   ./run try scan                  PASS, or the first wrong element
//   ./run my_scan.cu -n 8           one size only
//   ./run grade scan my_scan.cu     the handout's sizes
#include "book.h"

const int threads_per_block = 256;

// One thread per pair that is `2 * two_d` elements wide: its left half's sum is added to its right
// half's.
__global__ void upsweep_kernel(int* result, int pairs, int two_d) {
  // TODO 1: which pair is this thread's, and at which i does it begin?
}

__global__ void downsweep_kernel(int* result, int pairs, int two_d) {
  // TODO 2: the same pairs, from the widest to the narrowest.
}

// input and result are in device memory. Both have room for N rounded up to a power of two, and
// result begins as a copy of the input: you may work in place. Beyond N the numbers are arbitrary
// at first, and are not checked afterwards.
void exclusive_scan(int* input, int N, int* result) {
  // TODO 3: the algorithm needs a power of two. What must result hold beyond N so that the sums
  // stay right? (Does it matter at all?)

  // TODO 4: launch the levels one after the other. Why can one launch not do all levels, with
  // __syncthreads() between? How is result[N - 1] set to 0, in device memory?
}
