// transpose - rows become columns: out[c][r] = in[r][c]. Only memory access counts.
//
// A warp that reads neighbors in a row writes them into a column, far apart: either the reads or
// the writes are not coalesced. A tile in shared memory fixes this: read it row by row, wait, write
// it row by row.
//
//   ./run @FILE@              PASS, or the first wrong element
//   ./run @FILE@ -n 33        one size only
#include "starter.h"

const int tile_size = 32;  // blocks of 32 x 8 threads: each thread moves 4 elements

// in has `rows` rows of `columns` numbers: in[r][c] is in[r * columns + c].
__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  // Why one more column than there are threads in a warp? (Which bank is tile[0][0] in, which
  // tile[1][0]?)
  __shared__ float tile[tile_size][tile_size + 1];

  // TODO 1: read the tile, 8 rows at a time. Lanes of a warp have consecutive threadIdx.x: which
  // index should that be?

  // TODO 2: what must have happened before a thread may read what others wrote into the tile?

  // TODO 3: write the tile. Where does it lie in out, and which index has to be threadIdx.x again?
}

void transpose(const float* in, float* out, int rows, int columns) {
  dim3 threads(tile_size, 8);
  // TODO 4: one block per tile, also for the tiles at the edges that are not full.
  dim3 blocks(1, 1);

  transpose_kernel<<<blocks, threads>>>(in, out, rows, columns);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) { return starter::check_transpose(argc, argv, transpose); }
