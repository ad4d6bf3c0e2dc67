// One time step of one cell and of four cells, rounded as in the CPU reference: ((top + bottom) + left) +
// right, then minus 4 c, times k, plus c, each rounded to a float. samples.txt says EXACT, so the compiler
// fuses nothing by itself. Where fewer instructions give the same bits, the functions below say why.
#pragma once

#include "plate.cuh"

constexpr int warp_lanes = 32;
constexpr unsigned all_lanes = 0xffffffff;
constexpr int lane_cells = 4;                          // columns per lane: one 16-byte load
constexpr int warp_columns = warp_lanes * lane_cells;  // columns that a warp holds: 128

/// One step of a cell, 6 instructions. 4 c is exact, so the fused multiply-add rounds once, like the
/// subtraction of the reference. k * difference is rounded before it is added, as there.
__device__ inline float blend(float c, float t, float b, float l, float r, float k) {
  return c + k * __fmaf_rn(-4.0f, c, t + b + l + r);
}

/// A quarter of d = sum of the neighbors - 4 c, 4 instructions: for k = 1/4 a step is c + quarter_of_difference(), 5
/// instructions with the same bits. The reference rounds d, then a quarter of that; here d / 4 is rounded once.
/// Both give the same number: while d / 4 is not subnormal (smaller than 2^-126), rounding and dividing by 4
/// change places freely. Else d is a multiple of 2^-149 below 2^-124, which is a float, or lies midway between two
/// floats; of those the reference takes the one whose quarter is a float, and that is the one nearest to d / 4.
/// (c + 0.25f * d in one fused multiply-add would not do: it skips the rounding of the quarter, and at the front of
/// the heat, where temperatures are below 2^-120, bits would differ.)
__device__ inline float quarter_of_difference(float c, float t, float b, float l, float r) {
  return __fmaf_rn(0.25f, t + b + l + r, -c);
}

/// What a row of warp_columns cells needs to know of the plate's left and right border.
enum class Borders {
  none,    ///< none of the cells that count lies at one
  lanes,   ///< the plate's first column is some lane's first, its last column some lane's last
  columns  ///< the last column may be any of a lane's four
};

/// Where a lane's four cells lie. `right` = width - x: 4 when the fourth is the plate's last column, less
/// when an earlier one is, more when none is.
struct Columns {
  bool first;  ///< the first cell lies in the plate's first column
  int right;
};

/// What is known of k (--speed) when a row of cells is stepped: the less is left open, the fewer instructions.
enum class Speed {
  quarter,  ///< k = 1/4, no sources
  /// k = 1/4, and a factor per cell: 1, or 0 for a source. c + 1 * q in one fused multiply-add is c + q, rounded
  /// once; c + 0 * q is c. So sources cost no instruction, but a register per cell.
  quarter_held,
  any  ///< any k, one per cell: 0 for a source (c + 0 = c)
};

/// One step of a cell; `k` as Speed says.
template <Speed speed>
__device__ inline float blend_cell(float c, float t, float b, float l, float r, float k) {
  if constexpr (speed == Speed::quarter) return c + quarter_of_difference(c, t, b, l, r);
  if constexpr (speed == Speed::quarter_held) return __fmaf_rn(k, quarter_of_difference(c, t, b, l, r), c);
  if constexpr (speed == Speed::any) return blend(c, t, b, l, r, k);
}

/// One step of a lane's four cells, `t` and `b` being the rows above and below; all lanes of the warp call
/// it. The neighbors beyond a lane's own cells come from the lanes beside it. k: for each cell, as Speed says.
template <Speed speed, Borders borders>
__device__ inline float4 blend_row(float4 c, float4 t, float4 b, float4 k, Columns columns) {
  float left = __shfl_up_sync(all_lanes, c.w, 1), right = __shfl_down_sync(all_lanes, c.x, 1);
  float x_right = c.y, y_right = c.z, z_right = c.w;
  if constexpr (borders != Borders::none) {
    if (columns.first) left = c.x;
    if (columns.right == 4) right = c.w;
  }
  if constexpr (borders == Borders::columns) {
    if (columns.right == 1) x_right = c.x;
    if (columns.right == 2) y_right = c.y;
    if (columns.right == 3) z_right = c.z;
  }
  return make_float4(blend_cell<speed>(c.x, t.x, b.x, left, x_right, k.x),
                     blend_cell<speed>(c.y, t.y, b.y, c.x, y_right, k.y),
                     blend_cell<speed>(c.z, t.z, b.z, c.y, z_right, k.z),
                     blend_cell<speed>(c.w, t.w, b.w, c.z, right, k.w));
}

/// `a` where the bit of a cell is set, else `b`. Bits 0 to 3 stand for x, y, z, w.
__device__ inline float4 choose(unsigned bits, float4 a, float4 b) {
  return make_float4(bits & 1 ? a.x : b.x, bits & 2 ? a.y : b.y, bits & 4 ? a.z : b.z, bits & 8 ? a.w : b.w);
}

/// Four cells of a row as one 16-byte access; x is a multiple of 4.
__device__ inline float4 load_cells(const float* row, int x) {
  return *reinterpret_cast<const float4*>(row + x);
}
__device__ inline void store_cells(float* row, int x, float4 cells) {
  *reinterpret_cast<float4*>(row + x) = cells;
}
