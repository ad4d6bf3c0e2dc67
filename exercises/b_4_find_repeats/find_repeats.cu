// exercise find_repeats - all i with input[i] == input[i + 1]: {1,2,2,1,1,1,3,3} gives {1,3,4,6}.
//
// Part 2 of the course's assignment: parallel threads write a list without gaps (stream
// compaction). Each thread must know where its result goes before the others write; an exclusive
// scan of flags provides this. Solve `scan` first.
//
//   ./run try find_repeats                          PASS, or the first wrong element
//   ./run my_find_repeats.cu -n 10                  one size only
//   ./run grade find_repeats my_find_repeats.cu     the handout's sizes
#include "book.h"

const int threads_per_block = 256;

// flags[i] = 1 if input[i] equals its right neighbor, else 0.
__global__ void flags_kernel(const int* input, int length, int* flags) {
  // TODO 1: which element has no right neighbor?
}

// positions is the exclusive scan of flags.
__global__ void scatter_kernel(const int* flags, const int* positions, int length, int* output) {
  // TODO 2: positions[i] counts the repeats before i. So where does i go, if it is one?
}

// TODO 3: your exclusive_scan from `./run try scan`, with its kernels. Does it rely on result being
// a copy of the input?
void exclusive_scan(int* input, int N, int* result) {}

// input (length numbers) and output are in device memory. Returns how many repeats there are.
int find_repeats(int* input, int length, int* output) {
  // TODO 4: two arrays in device memory for flags and positions (how large, if your scan needs a
  // power of two?), then flags, scan, scatter. Which number of the scan is the count, and how does
  // it come to the host?
  return 0;
}
