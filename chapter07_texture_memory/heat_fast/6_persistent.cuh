// Rung 6, persistent: one launch per frame; the plate stays in the registers of the multiprocessors.
//
// Gains over rung 5: no traffic but the rims of the tiles, one launch instead of many. A block holds a tile
// of 128 columns and warps x rows rows, four columns of `rows` rows per lane, and steps it in place: left
// and right neighbors come by shuffles, the rows above and below a warp's own through shared memory. As in
// rung 4 a tile has a halo that is used up by `steps` steps. Then the blocks exchange: each writes the rim
// of its own part to a buffer, all wait for each other (a cooperative launch: all blocks run at the same
// time), and each reads its halo.
//
//      own columns of tile 0 |  own columns of tile 1 | ...     a tile at the plate's border has no halo there
//      [ tile 0 ........ halo]
//                    [halo ........ tile 1 ........ halo]
//
// Only a plate that fits the registers of the whole device can be computed so.
#pragma once

#include <cooperative_groups.h>

#include <algorithm>
#include <cuda/atomic>

#include "../../common/device.h"
#include "../../common/fail.h"
#include "step.cuh"

//// How blocks wait wait for each other's rims.
enum class Exchange {
  grid,      ///< all for all: grid.sync()
  neighbors  ///< each for the up to eight blocks around it, by flags in memory
};

/// How a plate is cut: `across` x `down` tiles.
struct Tiles {
  int across, down;
};

/// A kind of tile. Warps per block, rows per warp, steps between two exchanges.
template <int warps_, int rows_, int steps_, Exchange exchange_>
struct TileKind {
  static constexpr int warps = warps_, rows = rows_, steps = steps_;
  static constexpr Exchange exchange = exchange_;
  static constexpr int tile_rows = warps * rows;
  static constexpr int halo_columns = div_up(steps, lane_cells) * lane_cells;  // whole lanes
  static_assert(rows >= 2 && steps >= 1 && 2 * steps < tile_rows && 2 * halo_columns < warp_columns);
  static_assert(exchange == Exchange::grid || 3 * steps <= tile_rows,
                "a halo would reach beyond the neighboring tiles");

  static Tiles tiles(int dim) {
    const auto count = [dim](int side, int halo) {
      return dim <= side ? 1 : div_up(dim - 2 * halo, side - 2 * halo);
    };
    return {count(warp_columns, halo_columns), count(tile_rows, steps)};
  }
};

/// What the blocks of one launch share.
struct Rims {
  float* cells;     ///< two grids; of each only the tiles' rims are used. Exchanges take turns.
  unsigned* flags;  ///< one per tile: the number of the last exchange that its rim is written for
  unsigned number;  ///< of the first exchange of this launch
};

// Where tile i of `count` begins, and where its own part begins; the own part ends where that of tile i + 1
// begins. `flush`: the last tile ends at the plate's end, its halo being as much wider.
__device__ inline int tile_begin(int i, int count, int dim, int side, int halo, bool flush) {
  return flush && count > 1 && i == count - 1 ? dim - side : i * (side - 2 * halo);
}
__device__ inline int own_begin(int i, int count, int dim, int side, int halo) {
  return i == 0 ? 0 : i == count ? dim : i * (side - 2 * halo) + halo;
}

// Waits until the tiles around tile (bx, by) have written their rims for exchange `number`. Whole block.
__device__ inline void wait_for_neighbors(const unsigned* flags, unsigned number, int bx, int by,
                                          Tiles tiles) {
  if (threadIdx.x < 9) {
    const int nx = bx + static_cast<int>(threadIdx.x) % 3 - 1,
              ny = by + static_cast<int>(threadIdx.x) / 3 - 1;
    if (nx >= 0 && nx < tiles.across && ny >= 0 && ny < tiles.down) {
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(
          const_cast<unsigned&>(flags[ny * tiles.across + nx]));
      // As a signed difference, because the numbers may wrap.
      while (static_cast<int>(flag.load(cuda::memory_order_relaxed) - number) < 0) {
      }
      __threadfence();  // once, and not at every look
    }
  }
  __syncthreads();
}

// One step of a warp's rows, in place. `above`, `below`: the rows beside them. `publish`: for the warps
// beside, called with the new first and last row before the others are computed, so that those hide the way
// through shared memory. top, bottom (where borders is `columns`): the rows, counted from the warp's first
// one, that are the plate's first and last row.
template <int rows, bool quarter, Borders borders, class Publish>
__device__ inline void step_rows(float4 (&v)[rows], const float4 (&k)[rows], float4 above, float4 below,
                                 Columns columns, int top, int bottom, Publish publish) {
  const auto next = [&](int row, float4 t, float4 b) {
    if (borders == Borders::columns && row == top) t = v[row];
    if (borders == Borders::columns && row == bottom) b = v[row];
    return blend_row<quarter, borders>(v[row], t, b, k[row], columns);
  };
  const float4 first = next(0, above, v[1]), last = next(rows - 1, v[rows - 2], below);
  publish(first, last);
  float4 old_above = v[0];
#pragma unroll
  for (int row = 1; row < rows - 1; ++row) {
    const float4 old = v[row];
    v[row] = next(row, old_above, v[row + 1]);
    old_above = old;
  }
  v[0] = first;
  v[rows - 1] = last;
}

/// `steps` time steps of a whole plate, from `in` to `out`. Block: Kind::warps warps; grid: tiles.across x
/// tiles.down blocks, in one dimension. `exact_fit`: the width is a multiple of 4, and the plate at least
/// one tile large; then no row and no lane but the outermost of a tile lies at the plate's border.
template <class Kind, bool exact_fit>
__global__ void __launch_bounds__(Kind::warps* warp_lanes, 1)
    persistent_kernel(float* out, const float* in, const float* sources, const unsigned* source_bits,
                      Slab slab, Tiles tiles, int steps, float k_, Rims rims) {
  constexpr int rows = Kind::rows, halo = Kind::halo_columns;
  constexpr Borders borders = exact_fit ? Borders::lanes : Borders::columns;
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
  const bool own_column = x >= own_x && x < own_x_end;
  const bool near_column = x >= own_x - halo && x < own_x_end + halo && x < dim;
  const bool rim_column = x < own_x + halo || x >= own_x_end - halo;
  const auto own = [&](int row) { return own_column && y + row >= own_y && y + row < own_y_end; };

  // The cells of this lane with the sources in place, and k for each: 0 holds a source.
  float4 v[rows], k[rows];
  bool sources_here = false;
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    v[row] = make_float4(0, 0, 0, 0);
    k[row] = make_float4(k_, k_, k_, k_);
    if (x >= dim || y + row >= dim) continue;
    const size_t line = (y + row) * slab.pitch;
    const unsigned bits = source_nibble(source_bits, slab, x, y + row);
    v[row] = load_cells(in + line, x);
    if (bits != 0) v[row] = choose(bits, load_cells(sources + line, x), v[row]);
    k[row] = choose(bits, make_float4(0, 0, 0, 0), k[row]);
    sources_here = sources_here || bits != 0;
  }
  const bool plain = k_ == 0.25f && !__any_sync(all_lanes, sources_here);  // the same for the whole warp

  int now = 0;  // which half of the shared rows holds the present step
  const auto publish = [&](int half, float4 first, float4 last) {
    first_rows[half][warp][lane] = first;
    last_rows[half][warp][lane] = last;
  };
  publish(now, v[0], v[rows - 1]);
  __syncthreads();

  for (int done = 0, exchanges = 0;; ++exchanges) {
    const int batch = min(Kind::steps, steps - done);
#pragma unroll 1
    for (int step = 1; step <= batch; ++step) {
      if (done + step == steps) {  // the frame's last step holds no source
#pragma unroll
        for (int row = 0; row < rows; ++row) k[row] = make_float4(k_, k_, k_, k_);
      }
      // After this step only the own part and so many rows around it will be needed.
      const int needed = batch - step;
      if (y < own_y_end + needed && y + rows > own_y - needed) {
        const float4 above = warp > 0 ? last_rows[now][warp - 1][lane] : v[0];
        const float4 below = warp < Kind::warps - 1 ? first_rows[now][warp + 1][lane] : v[rows - 1];
        const auto to_neighbors = [&](float4 first, float4 last) { publish(now ^ 1, first, last); };
        if (plain)
          step_rows<rows, true, borders>(v, k, above, below, columns, -y, dim - 1 - y, to_neighbors);
        else
          step_rows<rows, false, borders>(v, k, above, below, columns, -y, dim - 1 - y, to_neighbors);
      }
      now ^= 1;
      __syncthreads();
    }
    done += batch;
    if (done == steps) break;

    // Rims out, halos in. Two grids in turn: who still reads the one is not disturbed by who already writes
    // the other.
    float* cells = rims.cells + exchanges % 2 * (slab.pitch * dim);
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const bool rim = rim_column || y + row < own_y + Kind::steps || y + row >= own_y_end - Kind::steps;
      if (own(row) && rim) __stcg(reinterpret_cast<float4*>(cells + (y + row) * slab.pitch + x), v[row]);
    }
    if constexpr (Kind::exchange == Exchange::grid) {
      cooperative_groups::this_grid().sync();
    } else {
      const unsigned number = rims.number + exchanges;
      __syncthreads();
      if (threadIdx.x == 0) {
        __threadfence();  // the other threads' rims, too
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(rims.flags[blockIdx.x]);
        flag.store(number, cuda::memory_order_relaxed);
      }
      wait_for_neighbors(rims.flags, number, bx, by, tiles);
    }
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const bool near_row = y + row >= own_y - Kind::steps && y + row < own_y_end + Kind::steps;
      if (near_column && near_row && x >= 0 && y + row >= 0 && y + row < dim && !own(row))
        v[row] = __ldcg(reinterpret_cast<const float4*>(cells + (y + row) * slab.pitch + x));
    }
    publish(now, v[0], v[rows - 1]);
    __syncthreads();
  }

#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (own(row)) store_cells(out + (y + row) * slab.pitch, x, v[row]);
}

template <class Kind>
class PersistentRung : public Rung {
 public:
  explicit PersistentRung(const Plate& plate)
      : tiles_(Kind::tiles(plate.slab.width)),
        kernel_(kernel(plate.slab.width)),
        rims_(2 * plate.slab.pitch * plate.slab.rows),
        flags_(static_cast<size_t>(tiles_.across) * tiles_.down) {
    HANDLE_ERROR(cudaMemset(flags_.get(), 0, flags_.bytes()));
  }

  /// How many tiles this device can hold at the same time.
  static int room(int dim) {
    int blocks = 0;
    HANDLE_ERROR(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel(dim), Kind::warps * warp_lanes, 0));
    return blocks * device_attribute(cudaDevAttrMultiProcessorCount);
  }

  static bool fits(int dim) {
    const Tiles tiles = Kind::tiles(dim);
    return 1LL * tiles.across * tiles.down <= room(dim);
  }

  void advance(Plate& plate, int steps) override {
    float *out = plate.out.get(), *in = plate.in.get(), *sources = plate.sources.get();
    unsigned* source_bits = plate.source_bits.get();
    Rims rims = {rims_.get(), flags_.get(), number_};
    void* arguments[] = {&out, &in, &sources, &source_bits, &plate.slab, &tiles_, &steps, &plate.k, &rims};
    HANDLE_ERROR(cudaLaunchCooperativeKernel(kernel_, dim3(tiles_.across * tiles_.down),
                                             dim3(Kind::warps * warp_lanes), arguments, 0, nullptr));
    number_ += div_up(steps, Kind::steps);
    std::swap(plate.in, plate.out);
  }

  int passes(int) const override { return 1; }

 private:
  using Kernel = void (*)(float*, const float*, const float*, const unsigned*, Slab, Tiles, int, float, Rims);
  static Kernel kernel(int dim) {
    const bool exact_fit = dim % lane_cells == 0 && dim >= warp_columns && dim >= Kind::tile_rows;
    return exact_fit ? persistent_kernel<Kind, true> : persistent_kernel<Kind, false>;
  }

  Tiles tiles_;
  Kernel kernel_;
  DeviceMemory<float> rims_;
  DeviceMemory<unsigned> flags_;
  unsigned number_ = 1;  // of the next exchange; the flags begin below it
};

// Found with benchmarks/heat_fast_sweep.cu. The large tiles hold 1024 x 1024 cells on 126 multiprocessors;
// smaller plates take smaller tiles, to use them all.
using SmallTiles = TileKind<8, 5, 8, Exchange::grid>;
using LargeTiles = TileKind<8, 11, 8, Exchange::grid>;

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
