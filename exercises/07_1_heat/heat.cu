// exercise heat - heat spreads over a plate: a stencil, and two arrays that take turns.
//
// Chapter 7 of CUDA by Example. A step computes for every cell, from the temperatures before it,
//   new = old + 0.25 * (top + bottom + left + right - 4 * old)
// where a neighbor beyond the edge counts as the cell itself.
//
//   ./run try heat            PASS, or the first wrong cell
//   ./run my_heat.cu -n 4     one size only
#include "book.h"

// One thread per cell; the cell (x, y) is at x + y * dim.
__global__ void blend_kernel(float* out, const float* in, int dim) {
  // TODO 1: which cell is this thread's? What if the plate's side is no multiple of 16?

  // TODO 2: where are its four neighbors? What about the cells at an edge?
}

// The plate is in a, in device memory; b has the same size. After `steps` steps the result has to
// be in a.
void heat(float* a, float* b, int dim, int steps) {
  dim3 threads(16, 16);
  dim3 blocks((dim + 15) / 16, (dim + 15) / 16);
  // TODO 3: why can the kernel not write into the array from which it reads? Launch `steps` times;
  // what is read and what is written in the second step? And if the last step has written into b?
}
