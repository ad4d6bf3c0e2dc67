// exercise transpose - rows become columns: out[c][r] = in[r][c]. Only memory access counts.
//
// A warp that reads neighbors in a row writes them into a column, far apart: either the reads or
// the writes are not coalesced. A tile in shared memory fixes this: read it row by row, wait, write
// it row by row. --explain counts how many sectors (32 bytes of global memory) and how many
// wavefronts (turns of shared memory) a warp's request takes. Both must be few.
//
//   ./run try transpose             PASS, or what is wrong
//   ./run my_transpose.cu -n 33     one size only
#include "book.h"

const int tile_size = 32;  // blocks of 32 x 8 threads: each thread moves 4 elements

// TODO 1: predict. Word w of shared memory is in bank w % 32. In one wavefront each bank serves one
// word. How many wavefronts does it take when a warp reads a column of float tile[32][32]?
int wavefronts_of_a_column = 0;

// in has `rows` rows of `columns` numbers: in[r][c] is in[r * columns + c].
__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  // TODO 2: which shape puts the 32 elements of a column into different banks?
  __shared__ float tile[tile_size][tile_size];

  // TODO 3: read the tile, 8 rows at a time. Lanes of a warp have consecutive threadIdx.x: which
  // index should that be? Then wait: for what?

  // TODO 4: write the tile. Where does it lie in out, and which index has to be threadIdx.x again?
}

void transpose(const float* in, float* out, int rows, int columns) {
  dim3 threads(tile_size, 8);
  // TODO 5: one block per tile, also for the tiles at the edges that are not full.
  dim3 blocks(1, 1);

  transpose_kernel<<<blocks, threads>>>(in, out, rows, columns);
  HANDLE_ERROR(cudaGetLastError());
}
