#pragma once
// persistent - a persistent kernel: one launch per frame, with the plate in registers.
//
// The registers of all multiprocessors together hold a plate of 1024 x 1024 cells, so it need not
// go through memory within a frame. Each block holds a tile with a halo around its own cells, and
// steps it in place. Neighbors to the left and right come by shuffles, rows of other warps through
// shared memory. As in `tiled`, every step uses up one ring of the halo. When it is used up, each
// block writes the rim of its own cells to memory, waits for all others, and reads its new halo
// (README.md shows such a halo exchange). For the wait all blocks must run at the same time. A
// cooperative launch guarantees this, or fails.
//
// Gain over registers on an H200: 1024^2 cells 0.204 -> 0.0579 ms
// Only the rims go through memory, and one launch replaces many.
//
// Needed: plate.h (Plate, and what a rung is), step.cuh (the time step of a lane's four cells).

#include <cooperative_groups.h>

#include <string>

#include "../../common/device.h"
#include "../../common/method_table.h"
#include "plate.h"
#include "step.cuh"

namespace heat_fast {

constexpr int tile_warps = 8;  // of a block
constexpr int tile_threads = tile_warps * warp_lanes;
constexpr int tile_halo = 8;  // rows or columns on each side, whole lanes: a ring for each step

// The division of a plate into tiles. It is at least one tile large and its width is a multiple of
// 4, so only the outermost rows and lanes of a tile are at its border.
//
//      own columns of tile 0 |  own columns of tile 1 | ...  a tile at the border has no halo there
//      [ tile 0 ........ halo]
//                    [halo ........ tile 1 ........ halo]
//
//      a tile from the left:  halo | rim | ... | rim | halo    (from the top the same, in rows)
//
// A tile must compute the result of its own cells; every cell of the plate is some tile's own. The
// halo is a copy of the neighbors' own cells. The rim consists of the own cells that are also in a
// neighbor's halo.

/// The number of tiles across and down the plate, one block each, if a warp holds `rows` rows.
inline dim3 tile_grid(int dim, int rows) {
  const auto count = [dim](int side) { return div_up(dim - 2 * tile_halo, side - 2 * tile_halo); };
  return dim3(count(warp_columns), count(tile_warps * rows));
}

/// The beginning of tile `i` of `count`, and its own cells, in one direction, in which it has
/// `side` cells. The last tile ends at the plate's end, so its halo is wider.
struct Span {
  int begin;
  int own;
  int own_end;

  __device__ Span(int i, int count, int side, int dim) {
    const int stride = side - 2 * tile_halo;
    begin = i == count - 1 ? dim - side : i * stride;
    own = i == 0 ? 0 : i * stride + tile_halo;
    own_end = i == count - 1 ? dim : (i + 1) * stride + tile_halo;
  }
  /// Is it an own cell, or at most `distance` cells from one?
  __device__ bool within(int cell, int distance) const {
    return cell >= own - distance && cell < own_end + distance;
  }
  /// Is it an own cell, with at least tile_halo others on each side?
  __device__ bool inner(int cell) const {
    return cell >= own + tile_halo && cell < own_end - tile_halo;
  }
};

/// The place of this lane's cells in the plate: four columns, from x on, of the warp's rows, from y
/// on. Halos and own parts begin at whole lanes, so the four cells are all of one kind. A
/// function's `row` counts from y.
struct TilePlace {
  Span across;
  Span down;
  int x;
  int y;

  __device__ TilePlace(int dim, int rows)
      : across(blockIdx.x, gridDim.x, warp_columns, dim),
        down(blockIdx.y, gridDim.y, tile_warps * rows, dim) {
    x = across.begin + threadIdx.x % warp_lanes * lane_cells;
    y = down.begin + threadIdx.x / warp_lanes * rows;
  }
  __device__ bool within(int row, int distance) const {
    return across.within(x, distance) && down.within(y + row, distance);
  }
  __device__ bool inner(int row) const { return across.inner(x) && down.inner(y + row); }
  __device__ bool own(int row) const { return within(row, 0); }
  __device__ bool rim(int row) const { return own(row) && !inner(row); }
  __device__ bool halo(int row) const { return within(row, tile_halo) && !own(row); }
};

/// c + k * q: c + q in one rounding if k is 1, and c if k is 0. So holding a source costs no
/// instruction, but one register per cell.
__device__ inline float4 hold_or_add(float4 c, float4 k, float4 q) {
  return make_float4(__fmaf_rn(k.x, q.x, c.x), __fmaf_rn(k.y, q.y, c.y), __fmaf_rn(k.z, q.z, c.z),
                     __fmaf_rn(k.w, q.w, c.w));
}

// The phases of the kernel. `cells` are the temperatures of the lane's four columns in its warp's
// rows, `is_free` is 0 where a cell is a source, else 1; both are in registers. `at` is the place
// of the lane's first cell in a buffer.

template <int rows>
__device__ __forceinline__ void load_tile(float4 (&cells)[rows], float4 (&is_free)[rows],
                                          const Plate& plate, size_t at) {
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    const float4 in = load_cells(plate.in + at + row * plate.pitch);
    const float4 source = load_cells(plate.sources + at + row * plate.pitch);
    const unsigned bits =
        (source.x != 0) | (source.y != 0) << 1 | (source.z != 0) << 2 | (source.w != 0) << 3;
    cells[row] = choose(bits, source, in);
    is_free[row] = choose(bits, make_float4(0, 0, 0, 0), make_float4(1, 1, 1, 1));
  }
}

/// The first and the last row of each warp. The neighboring warps read them from shared memory.
/// The block's first and last warp read their own row instead of the missing one. At the plate's
/// border that is right; elsewhere it is in the halo, where any value will do.
///
/// One barrier per step is enough because two halves of the memory take turns. A warp that
/// writes for step s + 2 has passed the barrier of step s + 1. Before that barrier all warps
/// have read the rows of step s in that half.
struct RowsBetweenWarps {
  float4* my_first;
  float4* my_last;
  const float4* upper;
  const float4* lower;
  int half = 0;  ///< where the half begins that is used next
  float4 above;  ///< the row above the warp's own
  float4 below;  ///< and the one below

  /// Both: 2 * tile_threads in shared memory.
  __device__ RowsBetweenWarps(float4* first_rows, float4* last_rows) {
    const int warp = threadIdx.x / warp_lanes;
    my_first = first_rows + threadIdx.x;
    my_last = last_rows + threadIdx.x;
    upper = warp > 0 ? my_last - warp_lanes : my_first;
    lower = warp < tile_warps - 1 ? my_first + warp_lanes : my_last;
  }
  __device__ void publish(float4 first, float4 last) const {
    my_first[half] = first;
    my_last[half] = last;
  }
  __device__ void read() {
    __syncthreads();
    above = upper[half];
    below = lower[half];
    half ^= tile_threads;
  }
};

/// One step of all rows in place, which holds the sources or does not:
///
///      warp w - 1   last row  --+
///                               | through shared memory
///      warp w       above     <-+
///                   row 0     ....  computed first and handed on
///                   row 1       |
///                   ...         |   computed from top to bottom, each over its old self
///                   row n - 1 ....  computed first and handed on
///                   below     <-+
///                               |
///      warp w + 1   first row --+
///
/// The warp waits for its neighbors' rows when half of its other rows remain to be computed. So
/// these rows hide the wait and the way through shared memory.
template <bool hold, Borders borders, int rows>
__device__ __forceinline__ void step(float4 (&cells)[rows], const float4 (&is_free)[rows],
                                     RowsBetweenWarps& beside, Columns columns) {
  const auto next = [&](int row, float4 above, float4 below) {
    const float4 q = quarters<borders>(cells[row], above, below, columns);
    return hold ? hold_or_add(cells[row], is_free[row], q) : add(cells[row], q);
  };
  const float4 first = next(0, beside.above, cells[1]);
  const float4 last = next(rows - 1, cells[rows - 2], beside.below);
  beside.publish(first, last);

  float4 old_above = cells[0];  // the row above the next one, with its value before this step
  const auto replace = [&](int row) {
    const float4 old = cells[row];
    cells[row] = next(row, old_above, cells[row + 1]);
    old_above = old;
  };
#pragma unroll
  for (int row = 1; row < rows / 2; ++row) replace(row);
  beside.read();
#pragma unroll
  for (int row = rows / 2; row < rows - 1; ++row) replace(row);
  cells[0] = first;
  cells[rows - 1] = last;
}

/// Steps that hold the sources, two per turn: rows may change registers in the first and change
/// back in the second. A turn of one step would have to move each row back.
template <Borders borders, int rows>
__device__ __forceinline__ void held_steps(float4 (&cells)[rows], const float4 (&is_free)[rows],
                                           RowsBetweenWarps& beside, Columns columns, int count) {
#pragma unroll 1
  for (; count > 0; count -= 2) {
    step<true, borders>(cells, is_free, beside, columns);
    if (count == 1) break;
    step<true, borders>(cells, is_free, beside, columns);
  }
}

/// Writes the rim of the tile's own cells to memory, waits for all blocks, and reads the halo.
/// The reads bypass the L1 cache, because other multiprocessors write these cells.
template <int rows>
__device__ __forceinline__ void exchange_halos(float4 (&cells)[rows], const TilePlace& place,
                                               float* buffer, size_t at, size_t pitch) {
  const auto cells_of = [&](int row) {
    return reinterpret_cast<float4*>(buffer + at + row * pitch);
  };
#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (place.rim(row)) __stcg(cells_of(row), cells[row]);
  cooperative_groups::this_grid().sync();
#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (place.halo(row)) cells[row] = __ldcg(cells_of(row));
}

/// `steps` time steps from plate.in; a warp holds `rows` rows. Cooperative launch with a block for
/// each tile. The halos go through plate.out, plate.in, ... in turn, and the result goes into the
/// next one. While a block writes one buffer, another may still read the other, and the barrier
/// keeps any block from being two ahead.
template <int rows>
__global__ void __launch_bounds__(tile_threads, 1) persistent_kernel(Plate plate, int steps) {
  const TilePlace place(plate.dim, rows);
  const Columns columns = {place.x == 0, plate.dim - place.x};
  const bool at_side = blockIdx.x == 0 || blockIdx.x == gridDim.x - 1;  // of the plate
  const size_t at = place.y * plate.pitch + place.x;

  float4 cells[rows];
  float4 is_free[rows];
  load_tile(cells, is_free, plate, at);

  __shared__ float4 first_rows[2 * tile_threads];
  __shared__ float4 last_rows[2 * tile_threads];
  RowsBetweenWarps beside(first_rows, last_rows);

  // A batch is the steps between two exchanges. It has no more steps than the halo has rings, so
  // the own cells are right after each batch.
  int done = 0;
  int exchanges = 0;
  while (true) {
    const int batch = min(tile_halo, steps - done);
    done += batch;
    // Rows were loaded, or changed in the halo: the neighboring warps' copies are out of date.
    beside.publish(cells[0], cells[rows - 1]);
    beside.read();
    const int held = done == steps ? batch - 1 : batch;
    if (at_side)  // only tiles at the plate's sides look for its borders
      held_steps<Borders::lanes>(cells, is_free, beside, columns, held);
    else
      held_steps<Borders::none>(cells, is_free, beside, columns, held);
    if (done == steps) break;
    exchange_halos(cells, place, exchanges % 2 == 0 ? plate.out : plate.in, at, plate.pitch);
    ++exchanges;
  }

  // The frame's last step holds no source: a frame shows the result of the blend.
  step<false, Borders::lanes>(cells, is_free, beside, columns);
  float* result = exchanges % 2 == 0 ? plate.out : plate.in;
#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (place.own(row)) store_cells(result + at + row * plate.pitch, cells[row]);
}

/// A frame with tiles of `rows` rows per warp.
template <int rows>
int persistent_frame(Plate& plate, int steps, cudaStream_t stream) {
  void* arguments[] = {&plate, &steps};
  HANDLE_ERROR(cudaLaunchCooperativeKernel(persistent_kernel<rows>, tile_grid(plate.dim, rows),
                                           dim3(tile_threads), arguments, 0, stream));
  if (div_up(steps, tile_halo) % 2 != 0) std::swap(plate.in, plate.out);
  return 1;
}

// Rows per warp. Small tiles give all multiprocessors a part of a small plate. Large tiles hold
// 1024 x 1024 cells on 126 multiprocessors.
constexpr int small_tile_rows = 5;
constexpr int large_tile_rows = 11;

/// Use it only if persistent_refusal() is empty.
inline int persistent_heat(Plate& plate, int steps, cudaStream_t stream = nullptr) {
  const dim3 small = tile_grid(plate.dim, small_tile_rows);
  const bool fits = static_cast<int>(small.x * small.y) <= multiprocessors();
  if (fits) return persistent_frame<small_tile_rows>(plate, steps, stream);
  return persistent_frame<large_tile_rows>(plate, steps, stream);
}

inline Refusal persistent_refusal(const Plate& plate) {
  if (device_attribute(cudaDevAttrCooperativeLaunch) == 0)
    return {"needs a device with cooperative launches", exit_code::cannot_here};
  if (plate.dim < warp_columns || plate.dim % lane_cells != 0)
    return {"takes plates of at least " + std::to_string(warp_columns) +
            " cells per side, a multiple of " + std::to_string(lane_cells)};
  const dim3 tiles = tile_grid(plate.dim, large_tile_rows);
  int blocks = 0;  // per multiprocessor
  HANDLE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, persistent_kernel<large_tile_rows>, tile_threads, 0));
  const unsigned wanted = tiles.x * tiles.y;
  const unsigned room = blocks * multiprocessors();
  if (wanted <= room) return {};
  return {"cuts this plate into " + std::to_string(wanted) + " tiles, and this device holds " +
          std::to_string(room) + " at the same time"};
}

}  // namespace heat_fast
