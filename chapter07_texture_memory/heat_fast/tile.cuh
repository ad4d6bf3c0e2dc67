// How the rung persistent (6_persistent.cuh) cuts a plate into tiles, one per block, and where a lane's cells lie.
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

#include "step.cuh"

/// How a plate is cut: `across` x `down` tiles.
struct Tiles {
  int across, down;
};

/// A kind of tile: warps per block, rows per warp, steps between two exchanges. A tile has 128 columns, four per lane.
template <int warps_, int rows_, int steps_>
struct TileKind {
  static constexpr int warps = warps_, rows = rows_, steps = steps_;
  static constexpr int tile_rows = warps * rows;
  static constexpr int halo_rows = steps;                                      // a step uses up one ring
  static constexpr int halo_columns = div_up(steps, lane_cells) * lane_cells;  // whole lanes
  static_assert(rows >= 2 && steps >= 1 && 2 * halo_rows < tile_rows && 2 * halo_columns < warp_columns);

  static Tiles tiles(int dim) {
    const auto count = [dim](int side, int halo) {
      return dim <= side ? 1 : div_up(dim - 2 * halo, side - 2 * halo);
    };
    return {count(warp_columns, halo_columns), count(tile_rows, halo_rows)};
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

/// Where this lane's cells lie in the plate, and what its tile does with each of them. The lane has four columns, from
/// x on, of Kind::rows rows, from y on; a function's `row` counts from y. Halos and own parts begin at whole lanes, so
/// a lane's four columns are all of one sort.
template <class Kind>
struct TilePlace {
  int dim;       ///< cells per side of the plate
  int x, y;      ///< of the lane's first cell; may lie beyond the plate's end
  bool at_side;  ///< the tile is one of the first or the last column of tiles; the same for the whole block
  int own_y, own_y_end;
  bool own_column, rim_column, near_column;  ///< near: own or halo
  Columns columns;  ///< for blend_row(): which of the lane's columns are the plate's first and last one

  __device__ TilePlace(Tiles tiles, int plate_dim, bool flush) : dim(plate_dim) {
    constexpr int halo = Kind::halo_columns;
    const int lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes;
    const int bx = blockIdx.x % tiles.across, by = blockIdx.x / tiles.across;
    const int own_x = own_begin(bx, tiles.across, dim, warp_columns, halo);
    const int own_x_end = own_begin(bx + 1, tiles.across, dim, warp_columns, halo);
    own_y = own_begin(by, tiles.down, dim, Kind::tile_rows, Kind::halo_rows);
    own_y_end = own_begin(by + 1, tiles.down, dim, Kind::tile_rows, Kind::halo_rows);
    x = tile_begin(bx, tiles.across, dim, warp_columns, halo, flush) + lane_cells * lane;
    y = tile_begin(by, tiles.down, dim, Kind::tile_rows, Kind::halo_rows, flush) + warp * Kind::rows;
    columns = {x == 0, dim - x};
    at_side = bx == 0 || bx == tiles.across - 1;
    own_column = x >= own_x && x < own_x_end;
    near_column = x >= own_x - halo && x < own_x_end + halo && x >= 0 && x < dim;
    rim_column = x < own_x + halo || x >= own_x_end - halo;
  }

  __device__ bool in_plate(int row) const { return x < dim && y + row < dim; }
  __device__ bool own(int row) const { return own_column && y + row >= own_y && y + row < own_y_end; }
  __device__ bool rim(int row) const {
    return own(row) &&
           (rim_column || y + row < own_y + Kind::halo_rows || y + row >= own_y_end - Kind::halo_rows);
  }
  __device__ bool halo(int row) const {
    const bool near_row = y + row >= own_y - Kind::halo_rows && y + row < own_y_end + Kind::halo_rows;
    return near_column && near_row && y + row >= 0 && y + row < dim && !own(row);
  }

  /// Where the row begins in a grid of the plate.
  __device__ size_t line(int row, const Slab& slab) const { return (y + row) * slab.pitch; }
};
