// exercise reverse - reverse an array, piece by piece: threads that read what other threads wrote.
//
// Chapter 5 of CUDA by Example (shared memory and barriers). The array is a number of pieces of 256
// elements, and each piece is reversed in its place: data[0] and data[255] change places, data[256]
// and data[511], ...
//
//   ./run try reverse              PASS, or the first wrong element
//   ./run my_reverse.cu -n 512     one size only, a multiple of 256
#include "book.h"

const int piece = 256;  // elements, and threads of a block

__global__ void reverse_kernel(int* data) {
  __shared__ int copy[piece];

  // TODO 1: each thread puts one element into the copy. Which one of the whole array?

  // TODO 2: what has to happen before a thread may read what another one has put there?

  // TODO 3: each thread writes one element back: its own place gets the element from the other end
  // of the piece.
}

// data is in device memory; n is a multiple of 256.
void reverse(int* data, int n) {
  // TODO 4: one block per piece.
}
