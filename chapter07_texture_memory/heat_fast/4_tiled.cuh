#pragma once
// tiled - temporal blocking: several steps per launch, on overlapping tiles in shared memory.
//
// Gain over graph on an H200: 1024^2 cells 0.469 -> 0.231, 4096^2 cells 9.16 -> 2.60 ms
// Memory is read and written once per launch of several steps. A block loads its tile with a halo:
// the cells around it, as wide as the number of steps. Each step makes the outermost ring of the
// halo invalid, because it lacks neighbors. After the last step only the block's own part remains.
// Neighboring blocks both compute the cells of their halos: redundant work instead of traffic.
// Sources are held as in `fused`: every step but the last one of a frame leaves the source's
// temperature in its cell.
//
//      +----------------+   tile: what is loaded, tiled_side cells each way
//      |  halo          |
//      |   +--------+   |   own part: what is written, tiled_side - 2 steps each way
//      |   |  own   |   |
//      |   +--------+   |
//      +----------------+
//
// Needed: plate.h (Plate, and what a rung is).

#include <algorithm>

#include "plate.h"

namespace heat_fast {

constexpr int tiled_side = 64;  // columns and rows of a tile, halo included
constexpr int tiled_rows = 8;   // of threads, each with one column and every tiled_rows-th row

/// `steps` time steps, from `in` to `out`. `first`, `last`: whether this launch begins and ends a
/// frame. Block (tiled_side, tiled_rows); grid: a block for each own part of the plate.
static __global__ void __launch_bounds__(tiled_side* tiled_rows)
    tiled_kernel(float* out, const float* in, const float* sources, int dim, size_t pitch,
                 int steps, bool first, bool last) {
  constexpr int cells = tiled_side / tiled_rows;
  __shared__ float tile[2][tiled_side][tiled_side];

  // Thread (tx, ty) computes the tile's cells (tx, ty + tiled_rows j), at (x, top) of the plate.
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int own = tiled_side - 2 * steps;
  const int x = static_cast<int>(blockIdx.x) * own - steps + tx;
  const int top = static_cast<int>(blockIdx.y) * own - steps;

  unsigned is_source = 0;  // bit j: cell j is a source
  for (int j = 0; j < cells; ++j) {
    const int y = top + ty + tiled_rows * j;
    float cell = 0;
    if (x >= 0 && x < dim && y >= 0 && y < dim) {
      const float source = sources[x + y * pitch];
      if (source != 0) is_source |= 1u << j;
      cell = first && source != 0 ? source : in[x + y * pitch];
    }
    tile[0][ty + tiled_rows * j][tx] = cell;
  }
  __syncthreads();

  int current = 0;  // which of the two tiles holds the cells
  for (int step = 0; step < steps; ++step) {
    const bool hold = !(last && step == steps - 1);
    for (int j = 0; j < cells; ++j) {
      const int row = ty + tiled_rows * j;
      const int y = top + row;
      const float c = tile[current][row][tx];
      // At the plate's border the neighbor is the cell itself; at the tile's, any value will do.
      const float l = x == 0 || tx == 0 ? c : tile[current][row][tx - 1];
      const float r = x == dim - 1 || tx == tiled_side - 1 ? c : tile[current][row][tx + 1];
      const float t = y == 0 || row == 0 ? c : tile[current][row - 1][tx];
      const float b = y == dim - 1 || row == tiled_side - 1 ? c : tile[current][row + 1][tx];
      // c + 0.25f * (t + b + l + r - c * 4) with fewer instructions. quarter() in step.cuh explains
      // why the bits are the same.
      const float next = c + __fmaf_rn(0.25f, t + b + l + r, -c);
      const bool held = hold && (is_source >> j & 1) != 0;
      tile[current ^ 1][row][tx] = held ? c : next;
    }
    __syncthreads();
    current ^= 1;
  }

  for (int j = 0; j < cells; ++j) {
    const int row = ty + tiled_rows * j;
    const int y = top + row;
    const bool mine = tx >= steps && tx < steps + own && row >= steps && row < steps + own;
    if (mine && x < dim && y < dim) out[x + y * pitch] = tile[current][row][tx];
  }
}

/// A frame. If the plate fits in the L2 cache, fewer launches are worth more redundant work.
inline int tiled_heat(Plate& plate, int steps, cudaStream_t stream = nullptr) {
  const int at_once = plate.dim < 2048 ? 8 : 6;
  for (int done = 0; done < steps; done += at_once) {
    const int batch = std::min(at_once, steps - done);
    const bool first = done == 0;
    const bool last = done + batch == steps;
    const int tiles = div_up(plate.dim, tiled_side - 2 * batch);  // each way
    const dim3 blocks(tiles, tiles);
    const dim3 threads(tiled_side, tiled_rows);
    tiled_kernel<<<blocks, threads, 0, stream>>>(plate.out, plate.in, plate.sources, plate.dim,
                                                 plate.pitch, batch, first, last);
    HANDLE_ERROR(cudaGetLastError());
    std::swap(plate.in, plate.out);
  }
  return div_up(steps, at_once);
}

}  // namespace heat_fast
