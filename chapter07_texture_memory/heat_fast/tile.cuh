// What a block of rung 6 (6_persistent.cuh) knows of its tile: where it lies in the plate, how a time step goes, and how
// it is read. The plate is at least one tile large, and its width a multiple of 4: so only the outermost rows and lanes
// of a tile lie at its border.
//
//      own columns of tile 0 |  own columns of tile 1 | ...     a tile at the plate's border has no halo there
//      [ tile 0 ........ halo]
//                    [halo ........ tile 1 ........ halo]
//
//      from left to right in a tile:  halo | rim | ... | rim | halo        (down the plate the same, in rows)
//
// Own cells are those whose result the tile has to give; every cell of the plate is some tile's own. The halo is a
// copy of the neighbors' own cells. The rim are the own cells that lie in a neighbor's halo.
#pragma once

#include "plate.h"
#include "step.cuh"

constexpr int tile_warps = 8;  // per block
constexpr int tile_halo = 8;   // rows or columns on each side, whole lanes; a step uses up one ring
static_assert(tile_halo % lane_cells == 0);

/// How a plate is cut: `across` x `down` tiles of warp_columns columns and tile_warps * rows rows.
struct Tiles {
  int across, down;
};
inline Tiles cut(int dim, int rows) {
  const auto count = [dim](int side) { return div_up(dim - 2 * tile_halo, side - 2 * tile_halo); };
  return {count(warp_columns), count(tile_warps * rows)};
}

// Where tile i of `count` begins, and where its own part begins; the own part ends where that of tile i + 1 begins. The
// last tile ends at the plate's end, its halo being as much wider. `side`: cells of a tile in that direction.
__device__ inline int tile_begin(int i, int count, int dim, int side) {
  return i == count - 1 ? dim - side : i * (side - 2 * tile_halo);
}
__device__ inline int own_begin(int i, int count, int dim, int side) {
  return i == 0 ? 0 : i == count ? dim : i * (side - 2 * tile_halo) + tile_halo;
}

/// Where this lane's cells lie in the plate, and what its tile does with each of them. The lane has four columns, from
/// x on, of `rows` rows, from y on; a function's `row` counts from y. Halos and own parts begin at whole lanes, so a
/// lane's four columns are all of one sort.
template <int rows>
struct TilePlace {
  int x, y;      ///< of the lane's first cell
  bool at_side;  ///< the tile is one of the first or the last column of tiles; the same for the whole block
  Columns columns;  ///< for quarters(): which of the lane's columns are the plate's first and last one
  int own_y, own_y_end;
  bool own_column, rim_column, near_column;  ///< near: own or halo

  __device__ TilePlace(Tiles tiles, int dim) {
    constexpr int tile_rows = tile_warps * rows;
    static_assert(2 * tile_halo < tile_rows);
    const int lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes;
    const int bx = blockIdx.x % tiles.across, by = blockIdx.x / tiles.across;
    const int own_x = own_begin(bx, tiles.across, dim, warp_columns);
    const int own_x_end = own_begin(bx + 1, tiles.across, dim, warp_columns);
    own_y = own_begin(by, tiles.down, dim, tile_rows);
    own_y_end = own_begin(by + 1, tiles.down, dim, tile_rows);
    x = tile_begin(bx, tiles.across, dim, warp_columns) + lane_cells * lane;
    y = tile_begin(by, tiles.down, dim, tile_rows) + warp * rows;
    columns = {x == 0, dim - x};
    at_side = bx == 0 || bx == tiles.across - 1;
    own_column = x >= own_x && x < own_x_end;
    near_column = x >= own_x - tile_halo && x < own_x_end + tile_halo;
    rim_column = x < own_x + tile_halo || x >= own_x_end - tile_halo;
  }

  __device__ bool own(int row) const { return own_column && y + row >= own_y && y + row < own_y_end; }
  __device__ bool rim(int row) const {
    return own(row) && (rim_column || y + row < own_y + tile_halo || y + row >= own_y_end - tile_halo);
  }
  __device__ bool halo(int row) const {
    const bool near_row = y + row >= own_y - tile_halo && y + row < own_y_end + tile_halo;
    return near_column && near_row && !own(row);
  }

  /// The lane's four cells of the row in a grid of the plate.
  __device__ float4* cells(const float* grid, int row, size_t pitch) const {
    return reinterpret_cast<float4*>(const_cast<float*>(grid) + (y + row) * pitch + x);
  }
};

// ---- a time step of a warp's part of the tile, in place
//
//      warp w - 1   last row  --+
//                               | through shared memory (RowsBeside)
//      warp w       above     <-+
//                   row 0     ....  computed first and handed on
//                   row 1       |
//                   ...         |   computed from top to bottom, each over its old self
//                   row n - 1 ....  computed first and handed on
//                   below     <-+
//                               |
//      warp w + 1   first row --+

/// A lane's four columns of its warp's rows, in registers.
template <int rows>
struct WarpCells {
  float4 v[rows];       ///< the temperatures
  float4 k[rows];       ///< 0 where a cell is a source, else 1
  float4 above, below;  ///< the rows beside the warp's own, after as many steps as these
};

/// The first and the last row of each warp of a block, for the warps beside, in shared memory. All warps call publish()
/// and read() in turn.
///
/// One barrier per step is enough because of two halves that take turns: a warp that already writes for step s + 2
/// has passed the barrier of step s + 1, to which all others have come with what they read in step s, from the same
/// half.
class RowsBeside {
 public:
  using Rows = float4[2][tile_warps][warp_lanes];

  /// `first`, `last`: the rows, in shared memory. The block's first and last warp read their own row instead of the one
  /// that is missing: at the plate's border that is right, elsewhere it lies in the halo, where any value will do.
  __device__ RowsBeside(Rows& first, Rows& last) {
    const int lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes;
    first_ = &first[0][warp][lane];
    last_ = &last[0][warp][lane];
    above_ = warp > 0 ? &last[0][warp - 1][lane] : first_;
    below_ = warp < tile_warps - 1 ? &first[0][warp + 1][lane] : last_;
  }
  __device__ void publish(float4 first, float4 last) {
    first_[half_] = first;
    last_[half_] = last;
  }
  __device__ void read(float4& above, float4& below) {
    __syncthreads();
    above = above_[half_];
    below = below_[half_];
    half_ ^= tile_warps * warp_lanes;
  }

 private:
  float4 *first_, *last_, *above_, *below_;  // in half 0
  int half_ = 0;                             // where the half begins that is used now
};

/// c + k * q: c + q in one rounding where k is 1, and c where k is 0. So to hold a source costs no instruction, but a
/// register per cell.
__device__ inline float4 hold_or_add(float4 c, float4 k, float4 q) {
  return make_float4(__fmaf_rn(k.x, q.x, c.x), __fmaf_rn(k.y, q.y, c.y), __fmaf_rn(k.z, q.z, c.z),
                     __fmaf_rn(k.w, q.w, c.w));
}

/// One step of all rows, which holds the sources or does not. Row 0 and the last one are computed first and handed to
/// the warps beside; theirs are waited for when half of the other rows are still to be computed: so these hide the wait
/// and the way through shared memory.
template <bool hold, Borders borders, int rows>
__device__ inline void step_rows(WarpCells<rows>& cells, RowsBeside& beside, Columns columns) {
  float4(&v)[rows] = cells.v;
  const auto next = [&](int row, float4 t, float4 b) {
    const float4 q = quarters<borders>(v[row], t, b, columns);
    return hold ? hold_or_add(v[row], cells.k[row], q) : add(v[row], q);
  };
  const float4 first = next(0, cells.above, v[1]), last = next(rows - 1, v[rows - 2], cells.below);
  beside.publish(first, last);

  float4 old_above = v[0];  // the row above the one that is next, as it was before this step
  const auto replace = [&](int row) {
    const float4 old = v[row];
    v[row] = next(row, old_above, v[row + 1]);
    old_above = old;
  };
#pragma unroll
  for (int row = 1; row < rows / 2; ++row) replace(row);
  beside.read(cells.above, cells.below);
#pragma unroll
  for (int row = rows / 2; row < rows - 1; ++row) replace(row);
  v[0] = first;
  v[rows - 1] = last;
}

/// Reads the cells of the tile, halo included, with the sources in place.
template <int rows>
__device__ inline void load_tile(WarpCells<rows>& cells, const TilePlace<rows>& place, const Plate& plate) {
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    const float4 source = *place.cells(plate.sources, row, plate.pitch);
    const unsigned bits =
        (source.x != 0) | (source.y != 0) << 1 | (source.z != 0) << 2 | (source.w != 0) << 3;
    cells.v[row] = choose(bits, source, *place.cells(plate.in, row, plate.pitch));
    cells.k[row] = choose(bits, make_float4(0, 0, 0, 0), make_float4(1, 1, 1, 1));
  }
}
