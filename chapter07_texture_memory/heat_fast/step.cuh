#pragma once
// The shared part of `registers` and `persistent`: one time step of the four cells of a row that a
// lane holds.
//
// The bits are those of the CPU reference, which rounds after every operation: ((top + bottom) +
// left) + right, then minus 4 c, times k, plus c. CMakeLists.txt has EXACT, so the compiler fuses
// nothing. Here k is 1/4, the constant of the book (common/heat.h). With any other k, quarter()
// would not give the same bits.

#include "../../common/book.h"
#include "../../common/grid.h"

namespace heat_fast {

constexpr int warp_lanes = 32;
constexpr unsigned all_lanes = 0xffffffff;
constexpr int lane_cells = 4;                          // columns per lane: one 16-byte load
constexpr int warp_columns = warp_lanes * lane_cells;  // columns that a warp holds

/// A step adds this to c: a quarter of d = sum of the neighbors - 4 c, in 4 instructions.
///
/// The reference rounds d, then a quarter of that; here d / 4 is rounded once. Both give the
/// same number: while d / 4 is not subnormal (smaller than 2^-126), rounding and dividing by 4
/// change places freely. Else d is a multiple of 2^-149 below 2^-124, which is a float, or lies
/// midway between two floats; of those the reference takes the one whose quarter is a float,
/// and that is the one nearest to d / 4. (c + 0.25f * d in one fused multiply-add would not do:
/// it skips the rounding of the quarter, and at the front of the heat, where temperatures are
/// below 2^-120, bits would differ.)
__device__ inline float quarter(float c, float t, float b, float l, float r) {
  return __fmaf_rn(0.25f, t + b + l + r, -c);
}

/// The checks for the plate's left and right border in a row of warp_columns cells.
enum class Borders {
  none,    ///< none of the cells that count is at one
  lanes,   ///< the plate's first column is some lane's first, its last column some lane's last
  columns  ///< the last column may be any of a lane's four
};

/// The place of a lane's four cells.
struct Columns {
  bool at_left_border;  ///< the first cell lies in the plate's first column
  /// Columns from the first cell's to the plate's last: 4 if the fourth cell is in that one, less
  /// if an earlier cell is, more if none is.
  int to_right_border;
};

/// quarter() of a lane's four cells; `t` and `b` are the rows above and below. All lanes of the
/// warp call it. The neighbors beyond a lane's own cells come from the lanes next to it.
template <Borders borders>
__device__ inline float4 quarters(float4 c, float4 t, float4 b, Columns columns) {
  float left = __shfl_up_sync(all_lanes, c.w, 1);
  float right = __shfl_down_sync(all_lanes, c.x, 1);
  float x_right = c.y;
  float y_right = c.z;
  float z_right = c.w;
  if constexpr (borders != Borders::none) {
    if (columns.at_left_border) left = c.x;
    if (columns.to_right_border == 4) right = c.w;
  }
  if constexpr (borders == Borders::columns) {
    if (columns.to_right_border == 1) x_right = c.x;
    if (columns.to_right_border == 2) y_right = c.y;
    if (columns.to_right_border == 3) z_right = c.z;
  }
  return make_float4(quarter(c.x, t.x, b.x, left, x_right), quarter(c.y, t.y, b.y, c.x, y_right),
                     quarter(c.z, t.z, b.z, c.y, z_right), quarter(c.w, t.w, b.w, c.z, right));
}

/// A time step of the four cells.
__device__ inline float4 add(float4 cells, float4 quarters) {
  return make_float4(cells.x + quarters.x, cells.y + quarters.y, cells.z + quarters.z,
                     cells.w + quarters.w);
}

/// `a` where the bit of a cell is set, else `b`. Bits 0 to 3 stand for x, y, z, w.
__device__ inline float4 choose(unsigned bits, float4 a, float4 b) {
  return make_float4(bits & 1 ? a.x : b.x, bits & 2 ? a.y : b.y, bits & 4 ? a.z : b.z,
                     bits & 8 ? a.w : b.w);
}

/// Four cells of a row as one 16-byte access.
__device__ inline float4 load_cells(const float* cells) {
  return *reinterpret_cast<const float4*>(cells);
}
__device__ inline void store_cells(float* to, float4 cells) {
  *reinterpret_cast<float4*>(to) = cells;
}

}  // namespace heat_fast
