// Rung 6, persistent: one launch per frame; the plate stays in the registers of the multiprocessors.
//
// The registers of all multiprocessors together hold a plate of 1024 x 1024 cells, so a frame need not pass it through
// memory at all. Each block holds a tile of it, with a halo around its own cells (tile.cuh draws the cut), and steps
// it in place: neighbors left and right come by shuffles, rows of other warps through shared memory
// (step_in_place.cuh). As in rung 4 every step uses up one ring of the halo. When the halo is used up the blocks
// exchange: each writes the rim of its own cells to memory, waits for all others, and reads its new halo (README.md
// draws an exchange). For the wait all blocks must run at the same time, which a cooperative launch promises and only
// a plate that fits the device allows.
//
// Gains over rung 5: no traffic but the rims, and one launch instead of many.
#pragma once

#include <cooperative_groups.h>

#include <algorithm>

#include "../../common/device.h"
#include "../../common/fail.h"
#include "step_in_place.cuh"
#include "tile_memory.cuh"

/// `steps` time steps of a whole plate, from `in` to `out`. Block: Kind::warps warps; grid: tiles.across x tiles.down
/// blocks, in one dimension; cooperative launch.
///
/// `exact_fit`: the width is a multiple of 4, and the plate at least one tile large; then no row and no lane but the
/// outermost of a tile lies at the plate's border. `quarter`: k is 1/4. `rims`: two grids, of which only the tiles'
/// rims are used.
template <class Kind, bool exact_fit, bool quarter>
__global__ void __launch_bounds__(Kind::warps* warp_lanes, 1)
    persistent_kernel(float* out, const float* in, const float* sources, const unsigned* source_bits,
                      Slab slab, Tiles tiles, int steps, float k, float* rims) {
  __shared__ typename RowsBeside<Kind::warps>::Memory memory;
  RowsBeside<Kind::warps> beside(memory);
  const TilePlace<Kind> place(tiles, slab.width, exact_fit);
  WarpCells<Kind::rows> cells;
  load_tile(cells, place, slab, in, sources, source_bits, quarter ? 1.0f : k);

  // step and held_steps are lambdas of the kernel and no functions of a class: there nvcc 13.0 branched on the place's
  // columns around each shuffle, and the code was twice as long. `step.template operator()<...>()` is how C++ calls a
  // lambda with template arguments.
  const auto step = [&]<Speed speed, Borders borders>() {
    step_rows<speed, borders>(cells, beside, place.columns, -place.y, slab.width - 1 - place.y);
  };
  // Steps that hold the sources. Two per turn of the loop: so rows may change their registers in the first one and
  // change back in the second one, where a turn of one step would have to move each row back.
  const auto held_steps = [&]<Borders borders>(int count) {
    constexpr Speed speed = quarter ? Speed::quarter_held : Speed::any;
#pragma unroll 1
    for (; count > 0; count -= 2) {
      step.template operator()<speed, borders>();
      if (count == 1) break;
      step.template operator()<speed, borders>();
    }
  };
  constexpr Borders at_borders = exact_fit ? Borders::lanes : Borders::columns;

  // After each batch the own cells are right: it has no more steps than the halo has rings.
  for (int done = 0, exchanges = 0;; ++exchanges) {
    const int batch = min(Kind::steps, steps - done);
    done += batch;
    beside.exchange(cells);  // loaded, or changed in the halo: what the warps beside had is out of date
    const int held = done == steps ? batch - 1 : batch;
    if (place.at_side || !exact_fit)  // only tiles at the plate's sides look for its borders
      held_steps.template operator()<at_borders>(held);
    else
      held_steps.template operator()<Borders::none>(held);
    if (done == steps) break;

    // Two grids in turn: who still reads the one is not disturbed by who already writes the other. Nobody is two
    // exchanges ahead, because of the barrier between.
    float* grid = rims + exchanges % 2 * (slab.pitch * slab.width);
    write_rim(grid, cells, place, slab);
    cooperative_groups::this_grid().sync();
    read_halo(grid, cells, place, slab);
  }

  // The frame's last step holds no source: a frame shows the grid as the blend left it.
  cells.set_k(k);
  step.template operator()<quarter ? Speed::quarter : Speed::any, at_borders>();
  store_tile(out, cells, place, slab);
}

template <class Kind>
class PersistentRung : public Rung {
 public:
  explicit PersistentRung(const Plate& plate)
      : tiles_(Kind::tiles(plate.slab.width)), rims_(2 * plate.slab.pitch * plate.slab.rows) {}

  /// How many tiles this device can hold at the same time.
  static int room(int dim) {
    int blocks[2];
    for (const bool quarter : {false, true})
      HANDLE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks[quarter], kernel(dim, quarter),
                                                                 Kind::warps * warp_lanes, 0));
    return std::min(blocks[0], blocks[1]) * multiprocessors();
  }

  static bool fits(int dim) {
    const Tiles tiles = Kind::tiles(dim);
    return 1LL * tiles.across * tiles.down <= room(dim);
  }

  void advance(Plate& plate, int steps) override {
    float *out = plate.out.get(), *in = plate.in.get(), *sources = plate.sources.get();
    unsigned* source_bits = plate.source_bits.get();
    float* rims = rims_.get();
    void* arguments[] = {&out, &in, &sources, &source_bits, &plate.slab, &tiles_, &steps, &plate.k, &rims};
    HANDLE_ERROR(cudaLaunchCooperativeKernel(kernel(plate.slab.width, plate.k == 0.25f),
                                             dim3(tiles_.across * tiles_.down),
                                             dim3(Kind::warps * warp_lanes), arguments, 0, nullptr));
    std::swap(plate.in, plate.out);
  }

  int passes(int) const override { return 1; }

 private:
  using Kernel = void (*)(float*, const float*, const float*, const unsigned*, Slab, Tiles, int, float,
                          float*);
  static Kernel kernel(int dim, bool quarter) {
    const bool exact_fit = dim % lane_cells == 0 && dim >= warp_columns && dim >= Kind::tile_rows;
    if (exact_fit)
      return quarter ? persistent_kernel<Kind, true, true> : persistent_kernel<Kind, true, false>;
    return quarter ? persistent_kernel<Kind, false, true> : persistent_kernel<Kind, false, false>;
  }

  Tiles tiles_;
  DeviceMemory<float> rims_;
};

// Found with benchmarks/heat_fast_sweep.cu. The large tiles hold 1024 x 1024 cells on 126 multiprocessors;
// smaller plates take smaller tiles, to use them all.
using SmallTiles = TileKind<8, 5, 8>;
using LargeTiles = TileKind<8, 11, 8>;

inline std::optional<Refusal> persistent_refuses(int dim) {
  if (device_attribute(cudaDevAttrCooperativeLaunch) == 0)
    return Refusal{"this device has no cooperative launches", exit_code::cannot_here};
  if (PersistentRung<LargeTiles>::fits(dim)) return std::nullopt;
  const Tiles tiles = LargeTiles::tiles(dim);
  return Refusal{"a plate of " + std::to_string(dim) + " x " + std::to_string(dim) + " cells is " +
                     std::to_string(1LL * tiles.across * tiles.down) + " tiles, and this device holds " +
                     std::to_string(PersistentRung<LargeTiles>::room(dim)) + " at the same time",
                 exit_code::wrong_use};
}

inline std::unique_ptr<Rung> make_persistent(const Plate& plate) {
  const Tiles small = SmallTiles::tiles(plate.slab.width);
  if (small.across * small.down <= multiprocessors())
    return std::make_unique<PersistentRung<SmallTiles>>(plate);
  return std::make_unique<PersistentRung<LargeTiles>>(plate);
}

inline const HeatMethod persistent_method = {
    "persistent", "one launch per frame, the plate stays in registers", persistent_refuses, make_persistent};
