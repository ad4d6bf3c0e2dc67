// One time step of a warp's part of a tile, in place, in registers (6_persistent.cuh).
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
#pragma once

#include "step.cuh"

/// A lane's four columns of its warp's rows, in registers.
template <int rows>
struct WarpCells {
  float4 v[rows];       ///< the temperatures
  float4 k[rows];       ///< for each cell what Speed says: 0 holds a source
  float4 above, below;  ///< the rows beside the warp's own, after as many steps as these

  __device__ void set_k(float value) {
#pragma unroll
    for (int row = 0; row < rows; ++row) k[row] = make_float4(value, value, value, value);
  }
};

/// The first and the last row of each warp of a block, for the warps beside. All warps call both functions in turn.
///
/// One barrier per step is enough because of two halves that take turns: a warp that already writes for step s + 2
/// has passed the barrier of step s + 1, to which all others have come with what they read in step s, from the same
/// half.
template <int warps>
class RowsBeside {
 public:
  struct Memory {
    float4 first_rows[2][warps][warp_lanes], last_rows[2][warps][warp_lanes];
  };

  /// `memory`: in shared memory. The block's first and last warp read their own row instead of the one that is
  /// missing: at the plate's border that is right, elsewhere it lies in the halo, where any value will do.
  __device__ explicit RowsBeside(Memory& memory)
      : memory_(memory),
        lane_(threadIdx.x % warp_lanes),
        warp_(threadIdx.x / warp_lanes),
        above_rows_(warp_ > 0 ? memory.last_rows : memory.first_rows),
        below_rows_(warp_ < warps - 1 ? memory.first_rows : memory.last_rows) {}

  /// Both, for rows that have changed other than by a step.
  template <int rows>
  __device__ void exchange(WarpCells<rows>& cells) {
    publish(cells.v[0], cells.v[rows - 1]);
    read(cells.above, cells.below);
  }

  __device__ void publish(float4 first, float4 last) {
    memory_.first_rows[half_][warp_][lane_] = first;
    memory_.last_rows[half_][warp_][lane_] = last;
  }
  __device__ void read(float4& above, float4& below) {
    __syncthreads();
    above = above_rows_[half_][max(warp_ - 1, 0)][lane_];
    below = below_rows_[half_][min(warp_ + 1, warps - 1)][lane_];
    half_ ^= 1;
  }

 private:
  using Rows = const float4 (*)[warps][warp_lanes];

  Memory& memory_;
  int lane_, warp_;
  Rows above_rows_, below_rows_;
  int half_ = 0;
};

/// One step of all rows. Row 0 and the last one are computed first and handed to the warps beside; theirs are waited
/// for when half of the other rows are still to be computed: so these hide the wait and the way through shared memory.
/// top, bottom (where borders is `columns`): the rows, counted from the warp's first one, that are the plate's first
/// and last row.
template <Speed speed, Borders borders, int rows, int warps>
__device__ inline void step_rows(WarpCells<rows>& cells, RowsBeside<warps>& beside, Columns columns, int top,
                                 int bottom) {
  float4(&v)[rows] = cells.v;
  const auto next = [&](int row, float4 t, float4 b) {
    if (borders == Borders::columns && row == top) t = v[row];
    if (borders == Borders::columns && row == bottom) b = v[row];
    return blend_row<speed, borders>(v[row], t, b, cells.k[row], columns);
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
