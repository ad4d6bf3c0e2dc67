// exercise matrix - a matrix product by tiles: threads of a block share what they load.
//
// c = a * b: c[row][column] is the sum of a[row][k] * b[k][column] over all k. A block computes
// 16 x 16 elements of c, in steps of 16 values of k: it loads a tile of a and a tile of b into
// shared memory, and each thread adds 16 products.
//
//   ./run try matrix             PASS, or the first wrong element
//   ./run my_matrix.cu -n 20     one size only: a has 20 rows
#include "book.h"

const int tile = 16;

// TODO 1: predict. a and b have 64 x 64 elements. Without tiles each element of a is loaded from
// global memory by 64 threads. How often is it loaded with tiles?
int loads_of_an_element = 0;

// a has rows x inner elements, b inner x columns, c rows x columns, row after row.
__global__ void product_kernel(const int* a, const int* b, int* c, int rows, int inner,
                               int columns) {
  __shared__ int tile_of_a[tile][tile];
  __shared__ int tile_of_b[tile][tile];
  // TODO 2: which element of c is this thread's?

  // TODO 3: for each step: load one element of each tile (0 where the matrix ends), wait, add 16
  // products, and wait again. Why the second time?

  // TODO 4: write the sum, if there is such an element of c.
}

// a, b and c are in device memory.
void multiply(const int* a, const int* b, int* c, int rows, int inner, int columns) {
  const dim3 threads(tile, tile);
  const dim3 blocks((columns + tile - 1) / tile, (rows + tile - 1) / tile);
  product_kernel<<<blocks, threads>>>(a, b, c, rows, inner, columns);
  HANDLE_ERROR(cudaGetLastError());
}
