// One row on its way through all time levels of the rung registers (5_registers.cuh), in the registers of a warp.
//
// Level s of a row is the row after s steps. When row y of level s arrives, row y - 1 of level s + 1 can be
// computed from rows y - 2, y - 1 and y of level s; so each row read lets every level advance by one row:
//
//      row read:          y     level 0   -> rows y-2, y-1 kept in registers
//        computes row   y - 1   level 1   -> rows y-3, y-2 kept
//        computes row   y - 2   level 2   -> ...
//        returns row  y - levels, level `levels`
#pragma once

#include <cstdint>

#include "step.cuh"

/// Halo columns on each side: a lane's four columns are all halo, or all of the warp's own.
constexpr int march_halo(int levels) { return div_up(levels, lane_cells) * lane_cells; }
constexpr int march_own_columns(int levels) { return warp_columns - 2 * march_halo(levels); }

// Two rows of each level, in turn at index 0 and 1 (the parity of the row that is being read).
template <int levels>
using Levels = float4[levels][2];

/// How much of a row may need care; the warp takes the shortest way that does.
enum class Way {
  plain,   ///< k is 1/4, and neither a source nor a border of the plate is near
  common,  ///< k is 1/4; sources, and the plate's left and right border where its width is a multiple of 4
  any      ///< anything
};

/// Takes one row of level 0 through all levels and returns a finished row. `y`: the row read, in the slab.
/// `history`: the source bits of the lane's cells, row y - 1 in bits 0 to 3, row y - 2 in bits 4 to 7, ...
/// `hold_last`: sources are held at the last level, too.
template <int levels, int parity, Way way>
__device__ float4 march_row(Levels<levels>& kept, float4 row, int y, const Slab& slab, std::uint64_t history,
                            Columns columns, float k, bool hold_last) {
  const float4 all_k = make_float4(k, k, k, k);
#pragma unroll
  for (int s = 0; s < levels; ++s) {
    const float4 c = kept[s][parity ^ 1];  // row y - s - 1 of level s
    float4 t = kept[s][parity], b = row, next;
    if constexpr (way == Way::plain) next = blend_row<Speed::quarter, Borders::none>(c, t, b, all_k, columns);
    if constexpr (way == Way::common)
      next = blend_row<Speed::quarter, Borders::lanes>(c, t, b, all_k, columns);
    if constexpr (way == Way::any) {
      if (slab.is_first(y - s - 1)) t = c;
      if (slab.is_last(y - s - 1)) b = c;
      next = blend_row<Speed::any, Borders::columns>(c, t, b, all_k, columns);
    }
    if (way != Way::plain && (s < levels - 1 || hold_last))
      next = choose(static_cast<unsigned>(history >> 4 * s) & 15, c, next);
    kept[s][parity] = row;
    row = next;
  }
  return row;
}
