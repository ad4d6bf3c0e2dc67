// The tiles of the rung persistent (6_persistent.cuh): how a plate is cut into them, and one time step of a
// warp's part of a tile, in place, in registers.
//
//      own columns of tile 0 |  own columns of tile 1 | ...     a tile at the plate's border has no halo there
//      [ tile 0 ........ halo]
//                    [halo ........ tile 1 ........ halo]
#pragma once

#include "step.cuh"

/// How a plate is cut: `across` x `down` tiles.
struct Tiles {
  int across, down;
};

/// A kind of tile. Warps per block, rows per warp, steps between two exchanges.
template <int warps_, int rows_, int steps_>
struct TileKind {
  static constexpr int warps = warps_, rows = rows_, steps = steps_;
  static constexpr int tile_rows = warps * rows;
  static constexpr int halo_columns = div_up(steps, lane_cells) * lane_cells;  // whole lanes
  static_assert(rows >= 2 && steps >= 1 && 2 * steps < tile_rows && 2 * halo_columns < warp_columns);

  static Tiles tiles(int dim) {
    const auto count = [dim](int side, int halo) {
      return dim <= side ? 1 : div_up(dim - 2 * halo, side - 2 * halo);
    };
    return {count(warp_columns, halo_columns), count(tile_rows, steps)};
  }
};

// Where tile i of `count` begins, and where its own part begins; the own part ends where that of tile i + 1
// begins. `flush`: the last tile ends at the plate's end, its halo being as much wider.
__device__ inline int tile_begin(int i, int count, int dim, int side, int halo, bool flush) {
  return flush && count > 1 && i == count - 1 ? dim - side : i * (side - 2 * halo);
}
__device__ inline int own_begin(int i, int count, int dim, int side, int halo) {
  return i == 0 ? 0 : i == count ? dim : i * (side - 2 * halo) + halo;
}

// One step of a warp's rows, in place. `above`, `below`: the rows beside them; afterwards those for the next step. The
// first and the last row are computed first, and publish(first, last) hands them to the warps beside. read(above, below),
// which waits for theirs, is called while half of the other rows are still to be computed: so these hide the wait and the
// way through shared memory. top, bottom (where borders is `columns`): the rows, counted from the warp's first one, that
// are the plate's first and last row.
template <Speed speed, Borders borders, int rows, class Publish, class Read>
__device__ inline void step_rows(float4 (&v)[rows], const float4 (&k)[rows], float4& above, float4& below,
                                 Columns columns, int top, int bottom, Publish publish, Read read) {
  const auto next = [&](int row, float4 t, float4 b) {
    if (borders == Borders::columns && row == top) t = v[row];
    if (borders == Borders::columns && row == bottom) b = v[row];
    return blend_row<speed, borders>(v[row], t, b, k[row], columns);
  };
  const float4 first = next(0, above, v[1]), last = next(rows - 1, v[rows - 2], below);
  publish(first, last);
  float4 old_above = v[0];
  const auto replace = [&](int row) {
    const float4 old = v[row];
    v[row] = next(row, old_above, v[row + 1]);
    old_above = old;
  };
#pragma unroll
  for (int row = 1; row < rows / 2; ++row) replace(row);
  read(above, below);
#pragma unroll
  for (int row = rows / 2; row < rows - 1; ++row) replace(row);
  v[0] = first;
  v[rows - 1] = last;
}
