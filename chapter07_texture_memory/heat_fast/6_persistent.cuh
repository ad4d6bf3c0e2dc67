// Rung 6, persistent: a persistent kernel, one launch per frame; the plate stays in the registers of the
// multiprocessors.
//
// The registers of all multiprocessors together hold a plate of 1024 x 1024 cells, so a frame need not pass it through
// memory at all. Each block holds a tile of it, with a halo around its own cells (drawn in tile.cuh), and steps it in
// place. Neighbors left and right come by shuffles, rows of other warps through shared memory. As in rung 4 every step
// uses up one ring of the halo. When the halo is used up, each block writes the rim of its own cells to memory, waits
// for all others, and reads its new halo (README.md shows such a halo exchange). For the wait all blocks must run at
// the same time, which a cooperative launch guarantees, but only for a plate that fits the device.
//
// Gain over rung 5: only the rims go through memory, and one launch replaces many.
#pragma once

#include <cooperative_groups.h>

#include "../../common/device.h"
#include "../../common/device_memory.h"
#include "../../common/method_table.h"
#include "tile.cuh"

/// `steps` time steps, from plate.in to plate.out, a warp holding `rows` rows. Block: tile_warps warps; grid:
/// tiles.across x tiles.down blocks, in one dimension; cooperative launch. `rims`: two grids, of which only the tiles' rims are used.
template <int rows>
__global__ void __launch_bounds__(tile_warps* warp_lanes, 1)
    persistent_kernel(Plate plate, Tiles tiles, int steps, float* rims) {
  __shared__ RowsBeside::Rows first_rows, last_rows;
  RowsBeside beside(first_rows, last_rows);
  const TilePlace<rows> place(tiles, plate.dim);
  WarpCells<rows> cells;
  load_tile(cells, place, plate);

  // Lambdas and no functions of a class: there nvcc 13.0 branched on the place's columns around each shuffle, and the
  // code was twice as long. `step.template operator()<...>()` is how C++ calls a lambda with template arguments.
  const auto step = [&]<bool hold, Borders borders>() {
    step_rows<hold, borders>(cells, beside, place.columns);
  };
  // Steps that hold the sources. Two per turn: rows may change registers in the first and change back in the second,
  // where a turn of one step would have to move each row back.
  const auto held_steps = [&]<Borders borders>(int count) {
#pragma unroll 1
    for (; count > 0; count -= 2) {
      step.template operator()<true, borders>();
      if (count == 1) break;
      step.template operator()<true, borders>();
    }
  };

  // After each batch the own cells are right: it has no more steps than the halo has rings.
  for (int done = 0, exchanges = 0;; ++exchanges) {
    const int batch = min(tile_halo, steps - done);
    done += batch;
    // Loaded, or changed in the halo: what the warps beside had is out of date.
    beside.publish(cells.v[0], cells.v[rows - 1]);
    beside.read(cells.above, cells.below);
    const int held = done == steps ? batch - 1 : batch;
    if (place.at_side)  // only tiles at the plate's sides look for its borders
      held_steps.template operator()<Borders::lanes>(held);
    else
      held_steps.template operator()<Borders::none>(held);
    if (done == steps) break;

    // Two grids in turn: a block may already write the next exchange while another still reads this one. The barrier
    // keeps it from being two ahead. Past the L1 cache: other multiprocessors read what this one writes.
    float* grid = rims + exchanges % 2 * (plate.pitch * plate.dim);
#pragma unroll
    for (int row = 0; row < rows; ++row)
      if (place.rim(row)) __stcg(place.cells(grid, row, plate.pitch), cells.v[row]);
    cooperative_groups::this_grid().sync();
#pragma unroll
    for (int row = 0; row < rows; ++row)
      if (place.halo(row)) cells.v[row] = __ldcg(place.cells(grid, row, plate.pitch));
  }

  // The frame's last step holds no source: a frame shows the grid as the blend left it.
  step.template operator()<false, Borders::lanes>();
#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (place.own(row)) *place.cells(plate.out, row, plate.pitch) = cells.v[row];
}

// Found by measuring. Large tiles hold 1024 x 1024 cells on 126 multiprocessors; smaller plates use all with small ones.
constexpr int small_tile_rows = 5, large_tile_rows = 11;  // per warp

class PersistentHeat {
 public:
  /// Only where refusal() is empty.
  explicit PersistentHeat(const Plate& plate) : rims_(2 * plate.pitch * plate.dim) {}

  int run(Plate& plate, int steps, cudaStream_t stream = nullptr) {
    const Tiles small = cut(plate.dim, small_tile_rows);
    const bool is_small = small.across * small.down <= multiprocessors();
    return is_small ? frame<small_tile_rows>(plate, steps, stream)
                    : frame<large_tile_rows>(plate, steps, stream);
  }

  template <int rows>
  int frame(Plate& plate, int steps, cudaStream_t stream) {
    float* rims = rims_.get();
    Tiles tiles = cut(plate.dim, rows);
    void* arguments[] = {&plate, &tiles, &steps, &rims};
    HANDLE_ERROR(cudaLaunchCooperativeKernel(persistent_kernel<rows>, dim3(tiles.across * tiles.down),
                                             dim3(tile_warps * warp_lanes), arguments, 0, stream));
    std::swap(plate.in, plate.out);
    return 1;
  }

  static Refusal refusal(const Plate& plate) {
    if (device_attribute(cudaDevAttrCooperativeLaunch) == 0)
      return {"needs cooperative launches, which this device has not", exit_code::cannot_here};
    if (plate.dim < warp_columns || plate.dim % lane_cells != 0)
      return {"takes plates of at least 128 x 128 cells, a multiple of 4 per side"};
    const Tiles tiles = cut(plate.dim, large_tile_rows);
    int blocks = 0;  // per multiprocessor
    HANDLE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, persistent_kernel<large_tile_rows>,
                                                               tile_warps * warp_lanes, 0));
    const int room = blocks * multiprocessors();
    if (1LL * tiles.across * tiles.down <= room) return {};
    const std::string dim = std::to_string(plate.dim);
    return {"cuts a plate of " + dim + " x " + dim + " cells into " +
            std::to_string(1LL * tiles.across * tiles.down) + " tiles, and this device holds " +
            std::to_string(room) + " at the same time"};
  }

 private:
  DeviceMemory<float> rims_;  // two grids, of which only the tiles' rims are used
};
