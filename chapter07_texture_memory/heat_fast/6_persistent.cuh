// Rung 6, persistent: one launch per frame; the plate stays in the registers of the multiprocessors.
//
// Gains over rung 5: no traffic but the rims of the tiles, one launch instead of many. A block holds a tile
// of 128 columns and warps x rows rows, four columns of `rows` rows per lane, and steps it in place: left
// and right neighbors come by shuffles, the rows above and below a warp's own through shared memory. As in
// rung 4 a tile has a halo that is used up by `steps` steps. Then the blocks exchange: each writes the rim
// of its own part to a buffer, waits for the others (a cooperative launch: all blocks run at the same time),
// and reads its halo. tile.cuh has the cut into tiles and the step in place; README.md draws an exchange.
// Only a plate that fits the registers of the whole device can be computed so.
#pragma once

#include <cooperative_groups.h>

#include <algorithm>

#include "../../common/device.h"
#include "../../common/fail.h"
#include "tile.cuh"

/// `steps` time steps of a whole plate, from `in` to `out`: each block loads its tile once, steps it in batches of
/// Kind::steps with an exchange between two batches, does the frame's last step, which holds no source, and stores its
/// own part. Block: Kind::warps warps; grid: tiles.across x tiles.down blocks, in one dimension. `exact_fit`: the
/// width is a multiple of 4, and the plate at least one tile large; then no row and no lane but the outermost of a
/// tile lies at the plate's border. `quarter`: k_ is 1/4. `rims`: two grids, of which only the tiles' rims are used.
template <class Kind, bool exact_fit, bool quarter>
__global__ void __launch_bounds__(Kind::warps* warp_lanes, 1)
    persistent_kernel(float* out, const float* in, const float* sources, const unsigned* source_bits,
                      Slab slab, Tiles tiles, int steps, float k_, float* rims) {
  constexpr int rows = Kind::rows, halo = Kind::halo_columns;
  __shared__ float4 first_rows[2][Kind::warps][warp_lanes], last_rows[2][Kind::warps][warp_lanes];

  const int lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes, dim = slab.width;
  const int bx = blockIdx.x % tiles.across, by = blockIdx.x / tiles.across;
  const int own_x = own_begin(bx, tiles.across, dim, warp_columns, halo);
  const int own_x_end = own_begin(bx + 1, tiles.across, dim, warp_columns, halo);
  const int own_y = own_begin(by, tiles.down, dim, Kind::tile_rows, Kind::steps);
  const int own_y_end = own_begin(by + 1, tiles.down, dim, Kind::tile_rows, Kind::steps);
  const int x = tile_begin(bx, tiles.across, dim, warp_columns, halo, exact_fit) + lane_cells * lane;
  const int y = tile_begin(by, tiles.down, dim, Kind::tile_rows, Kind::steps, exact_fit) + warp * rows;
  const Columns columns = {x == 0, dim - x};
  const bool at_side = bx == 0 || bx == tiles.across - 1;  // the same for the whole block
  const bool own_column = x >= own_x && x < own_x_end;
  const bool near_column = x >= own_x - halo && x < own_x_end + halo && x >= 0 && x < dim;
  const bool rim_column = x < own_x + halo || x >= own_x_end - halo;
  const auto own = [&](int row) { return own_column && y + row >= own_y && y + row < own_y_end; };

  // The cells of this lane with the sources in place, and k for each, as Speed::quarter_held or Speed::any wants it.
  const float free_k = quarter ? 1.0f : k_;
  float4 v[rows], k[rows];
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    v[row] = make_float4(0, 0, 0, 0);
    k[row] = make_float4(free_k, free_k, free_k, free_k);
    if (x >= dim || y + row >= dim) continue;
    const size_t line = (y + row) * slab.pitch;
    const unsigned bits = source_nibble(source_bits, slab, x, y + row);
    v[row] = load_cells(in + line, x);
    if (bits != 0) v[row] = choose(bits, load_cells(sources + line, x), v[row]);
    k[row] = choose(bits, make_float4(0, 0, 0, 0), k[row]);
  }

  // The rows beside the warp's own come through shared memory. The block's first and last warp read their own row
  // instead: at the plate's border that is right, elsewhere it is as good as any.
  int now = 0;  // which half of the shared rows holds the present step
  const float4(*const above_rows)[Kind::warps][warp_lanes] = warp > 0 ? last_rows : first_rows;
  const float4(*const below_rows)[Kind::warps][warp_lanes] = warp < Kind::warps - 1 ? first_rows : last_rows;
  const int warp_above = max(warp - 1, 0), warp_below = min(warp + 1, Kind::warps - 1);
  const auto publish = [&](float4 first, float4 last) {
    first_rows[now][warp][lane] = first;
    last_rows[now][warp][lane] = last;
  };
  const auto read = [&](float4& above, float4& below) {
    __syncthreads();
    above = above_rows[now][warp_above][lane];
    below = below_rows[now][warp_below][lane];
    now ^= 1;
  };
  float4 above, below;
  const auto step = [&]<Speed speed, Borders borders>() {
    step_rows<speed, borders>(v, k, above, below, columns, -y, dim - 1 - y, publish, read);
  };
  // Steps that hold the sources. Two per turn of the loop, so that rows may change their registers in the first one and
  // change back in the second one.
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

  for (int done = 0, exchanges = 0;; ++exchanges) {
    publish(v[0], v[rows - 1]);
    read(above, below);
    const int batch = min(Kind::steps, steps - done);
    done += batch;
    const int held = done == steps ? batch - 1 : batch;
    if (at_side || !exact_fit)
      held_steps.template operator()<at_borders>(held);
    else
      held_steps.template operator()<Borders::none>(held);
    if (done == steps) break;

    // Rims out, halos in. Two grids in turn: who still reads the one is not disturbed by who already writes
    // the other.
    const size_t grid = exchanges % 2 * (slab.pitch * dim);
    const auto line = [&](int row) { return grid + (y + row) * slab.pitch; };
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const bool rim = rim_column || y + row < own_y + Kind::steps || y + row >= own_y_end - Kind::steps;
      if (own(row) && rim) __stcg(reinterpret_cast<float4*>(rims + line(row) + x), v[row]);
    }
    cooperative_groups::this_grid().sync();
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const bool near_row = y + row >= own_y - Kind::steps && y + row < own_y_end + Kind::steps;
      if (near_column && near_row && y + row >= 0 && y + row < dim && !own(row))
        v[row] = __ldcg(reinterpret_cast<const float4*>(rims + line(row) + x));
    }
  }

  // The frame's last step holds no source.
#pragma unroll
  for (int row = 0; row < rows; ++row) k[row] = make_float4(k_, k_, k_, k_);
  step.template operator()<quarter ? Speed::quarter : Speed::any, at_borders>();
#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (own(row)) store_cells(out + (y + row) * slab.pitch, x, v[row]);
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
    return std::min(blocks[0], blocks[1]) * device_attribute(cudaDevAttrMultiProcessorCount);
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
  if (small.across * small.down <= device_attribute(cudaDevAttrMultiProcessorCount))
    return std::make_unique<PersistentRung<SmallTiles>>(plate);
  return std::make_unique<PersistentRung<LargeTiles>>(plate);
}

inline const Method persistent_method = {"persistent", "one launch per frame, the plate stays in registers",
                                         persistent_refuses, make_persistent};
