#pragma once
// How a warp takes rows of the plate through several time steps in one trip through memory: the
// technique of chapter 7's heat_fast/5_registers.cuh (temporal blocking), for rows of a plate
// that lie on several GPUs. So the plate's first and last row need not be the first and last one in
// memory, and a launch may take any of the rows.
//
// A warp holds a strip of columns and reads one row after the other; level s of a row is the row
// after s steps. Each row read lets every level advance by one:
//
//      row read:          y     level 0   -> rows y-2, y-1 kept in registers
//        computes row   y - 1   level 1   -> rows y-3, y-2 kept
//        computes row   y - 2   level 2   -> ...
//        stores row   y - levels, level `levels`
//
// The bits are those of the CPU reference; step.cuh of heat_fast has the proof.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/grid.h"

namespace heat_multi_gpu {

// ---- one time step of the four cells of a row that a lane holds

constexpr int warp_lanes = 32;
constexpr unsigned all_lanes = 0xffffffff;
constexpr int lane_cells = 4;                          // columns per lane: one 16-byte load
constexpr int warp_columns = warp_lanes * lane_cells;  // columns that a warp holds

/// A quarter of (sum of the neighbors - 4 c), in 4 instructions: what a step adds to c.
__device__ inline float quarter(float c, float t, float b, float l, float r) {
  return __fmaf_rn(0.25f, t + b + l + r, -c);
}

/// What a row of warp_columns cells needs to know of the plate's left and right border.
enum class Borders {
  none,    ///< none of the cells that count lies at one
  lanes,   ///< the plate's first column is some lane's first, its last column some lane's last
  columns  ///< the last column may be any of a lane's four
};

/// Where a lane's four cells lie.
struct Columns {
  bool at_left_border;  ///< the first cell lies in the plate's first column
  /// Columns from the first cell's to the plate's last: 4 when the fourth cell lies in that, less
  /// when an earlier one does, more when none does.
  int to_right_border;
};

/// quarter() of a lane's four cells, `t` and `b` being the rows above and below; all lanes of the
/// warp call it. The neighbors beyond a lane's own cells come from the lanes beside it.
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

// ---- a warp marches down its rows

constexpr int march_warps = 4;  // per block; they do not work together
constexpr int march_threads = march_warps * warp_lanes;

/// Rows in flight from memory while older ones are computed, an even number. More of them hide more
/// latency, and need more registers.
constexpr int march_ahead = 4;

/// Blocks per multiprocessor that the registers must allow, for a kernel's launch bounds: 8
/// registers per level and lane, and about 50 more.
constexpr int march_blocks(int levels) {
  if (levels <= 1) return 7;
  if (levels <= 4) return 5;
  if (levels <= 6) return 4;
  return 3;
}

/// A warp's columns: a strip of the plate, which are its own, and a halo on each side. A lane's
/// columns are all halo, or all of the warp's own.
__host__ __device__ constexpr int march_halo(int levels) {
  return div_up(levels, lane_cells) * lane_cells;
}
__host__ __device__ constexpr int march_columns(int levels) {
  return warp_columns - 2 * march_halo(levels);
}

/// What a pass reads: rows of the plate that lie in memory one after the other.
struct MarchInput {
  const float* cells;
  const float* sources;         ///< 0 where a cell is no source
  const unsigned* source_bits;  ///< the same as bits, see Subdomain
  int width;                    ///< cells per row
  int rows;                     ///< in memory
  /// Floats from one row to the next, a multiple of 4; cells behind `width` mean nothing.
  int pitch;
  int top;     ///< the plate's first row, counted from row 0 of these rows; may be negative
  int bottom;  ///< the plate's last row, likewise
};

/// What a marching warp keeps from row to row.
template <int levels>
struct MarchState {
  int top;     ///< the plate's first row, as in MarchInput
  int bottom;  ///< the plate's last row
  Columns columns;
  /// A mask for the sources' bits at the last level. A mask, as nvcc 13.0 duplicates all the code
  /// that follows a condition, and twice the code takes longer to fetch.
  unsigned held_last;
  /// Two rows of each level, in turn at index 0 and 1 (the parity of the row that is being read).
  float4 kept[levels][2];
};

/// Takes row y of level 0 through all levels: it becomes a finished row.
///   borders  what the warp has to look for:
///              none     neither a source nor a border of the plate is near
///              lanes    sources, and the plate's left and right border where its width is a
///                       multiple of 4
///              columns  everything, the plate's first and last row, too
///   history  the source bits of the lane's cells, row y - 1 in bits 0 to 3, row y - 2 in bits 4
///            to 7, ...
template <int parity, Borders borders, int levels>
__device__ inline void march_row(MarchState<levels>& state, float4& row, int y,
                                 std::uint64_t history) {
#pragma unroll
  for (int s = 0; s < levels; ++s) {
    const float4 c = state.kept[s][parity ^ 1];  // row y - s - 1 of level s
    float4 t = state.kept[s][parity];
    float4 b = row;
    if (borders == Borders::columns && y - s - 1 == state.top) t = c;
    if (borders == Borders::columns && y - s - 1 == state.bottom) b = c;
    float4 next = add(c, quarters<borders>(c, t, b, state.columns));
    if (borders != Borders::none) {
      unsigned held = static_cast<unsigned>(history >> 4 * s);
      if (s == levels - 1) held &= state.held_last;
      next = choose(held, c, next);
    }
    state.kept[s][parity] = row;
    row = next;
  }
}

/// The same for rows y and y + 1, y being even; the youngest row in `history` is row
/// y + march_ahead + 1.
template <Borders borders, int levels>
__device__ inline void march_rows(MarchState<levels>& state, float4& row, float4& row_below, int y,
                                  std::uint64_t history) {
  march_row<0, borders>(state, row, y, history >> 4 * (march_ahead + 2));
  march_row<1, borders>(state, row_below, y + 1, history >> 4 * (march_ahead + 1));
}

/// Where a lane's four columns of a strip lie.
template <int levels>
struct MarchPlace {
  int x;            ///< the first of the four
  Columns columns;  ///< which of them lie at the plate's sides
  bool inside;      ///< the plate has them
  bool own;         ///< they are the warp's own, not halo
  bool at_side;     ///< the warp's columns reach a side of the plate
  bool ragged;      ///< they do, and the plate may end within a lane

  __device__ MarchPlace(int strip, int width) {
    constexpr int own_columns = march_columns(levels);
    const int own_x = strip * own_columns;
    const int first_x = own_x - march_halo(levels);  // below 0 in strip 0
    x = first_x + threadIdx.x % warp_lanes * lane_cells;
    columns = {x == 0, width - x};
    inside = x >= 0 && x < width;
    own = inside && x >= own_x && x < own_x + own_columns;
    at_side = first_x <= 0 || first_x + warp_columns >= width;
    ragged = at_side && width % lane_cells != 0;
  }
};

/// Asks memory for rows, in pairs, each once, from `start` on: an even number.
struct MarchReader {
  const MarchInput& input;
  int x;         ///< of the lane's first cell
  bool inside;   ///< the plate has that column
  int start;     ///< the first row
  int rows_end;  ///< behind the last row that may be read
  bool first;    ///< the first pass of a frame: sources in place of their cells
  /// The source bits of the lane's cells in the last 16 rows that were asked for: 4 bits per row,
  /// the youngest row in bits 0 to 3. They come in words of eight rows, loaded early.
  std::uint64_t history = 0;
  unsigned word;
  unsigned next_word;

  __device__ MarchReader(const MarchInput& input_, int x_, bool inside_, int start_, int to,
                         bool first_)
      : input(input_),
        x(x_),
        inside(inside_),
        start(start_),
        rows_end(inside_ ? min(input_.rows, to) : 0),
        first(first_),
        word(bits_of_rows(start_ >> 3)),
        next_word(bits_of_rows((start_ >> 3) + 1)) {}

  /// The word of rows 8 * group to 8 * group + 7.
  __device__ unsigned bits_of_rows(int group) const {
    const bool there = inside && group >= 0 && 8 * group < input.rows;
    const size_t words_per_group = input.pitch / 4;
    const size_t i = group * words_per_group + x / lane_cells;
    return there ? input.source_bits[i] : 0;
  }

  /// Starts to load rows y and y + 1, y being even: zeros outside. Every instruction here counts as
  /// much as one of a level, so what is the same for both rows is done once, and offsets are
  /// products of two ints.
  __device__ void load(float4& row, float4& row_below, int y) {
    if (y % 8 == 0 && y != start) {
      word = next_word;
      next_word = bits_of_rows((y >> 3) + 1);
    }
    // Of the row in bits 0 to 3, of the one below in bits 4 to 7. In the history, where the
    // youngest row comes first, they are the other way around.
    const unsigned bits = word >> 4 * (y & 7);
    history = history << 8 | (bits & 15) << 4 | (bits >> 4 & 15);
    const float* cells = input.cells + static_cast<long long>(y) * input.pitch + x;
    // As unsigned numbers, rows above those in memory are beyond their end, too.
    const bool there = static_cast<unsigned>(y) < static_cast<unsigned>(rows_end);
    const bool there_below = static_cast<unsigned>(y + 1) < static_cast<unsigned>(rows_end);
    row_below = make_float4(0, 0, 0, 0);
    row = make_float4(0, 0, 0, 0);
    if (!first || !__any_sync(all_lanes, (bits & 255) != 0)) {
      if (there) row = load_cells(cells);
      if (there_below) row_below = load_cells(cells + input.pitch);
      return;
    }
    const float* source_cells = input.sources + (cells - input.cells);
    if (there) row = pick(cells, source_cells, bits);
    if (there_below) row_below = pick(cells + input.pitch, source_cells + input.pitch, bits >> 4);
  }

  /// Each cell from its own place, and not both places and then a choice, which would wait for the
  /// loads.
  static __device__ float4 pick(const float* cells, const float* sources, unsigned bits) {
    const float x = (bits & 1 ? sources : cells)[0];
    const float y = (bits & 2 ? sources : cells)[1];
    const float z = (bits & 4 ? sources : cells)[2];
    const float w = (bits & 8 ? sources : cells)[3];
    return make_float4(x, y, z, w);
  }
};

/// `levels` time steps of rows from to `to` - 1 of a strip, by one warp, from input.cells to `out`.
/// The rows up to `levels` above and below must be in memory, as far as the plate has them.
/// `first`, `last`: whether these steps begin and end a frame (2_fused.cuh of heat_fast).
template <int levels>
__device__ inline void march(float* out, const MarchInput& input, int strip, int from, int to,
                             bool first, bool last) {
  static_assert(levels + march_ahead + 2 <= 16,
                "the history of source bits holds 16 rows of 4 bits");
  const MarchPlace<levels> place(strip, input.width);
  const int start = (from - levels) & ~1;  // in pairs; >> and & round down below zero, too
  MarchReader reader(input, place.x, place.inside, start, to + levels, first);
  MarchState<levels> state;
  state.top = input.top;
  state.bottom = input.bottom;
  state.columns = place.columns;
  state.held_last = last ? 0 : 15;  // the last step of a frame holds none
#pragma unroll
  for (int s = 0; s < levels; ++s) {
    state.kept[s][1] = make_float4(0, 0, 0, 0);
    state.kept[s][0] = make_float4(0, 0, 0, 0);
  }

  float4 ahead[march_ahead];
#pragma unroll
  for (int i = 0; i < march_ahead; i += 2) reader.load(ahead[i], ahead[i + 1], start + i);

  // A turn of the loop, for rows y and y + 1 (march_ahead being 4):
  //
  //   loads      rows y + 4, y + 5                   into ahead[2], ahead[3]
  //   takes      rows y, y + 1                       asked for two turns ago, through all levels
  //   stores     rows y - levels, y - levels + 1     finished now, where they are the warp's own
  //
  // So the youngest row in the history is y + 5. `used`: the bits of rows y - levels to y + 5.
  constexpr std::uint64_t used = ~std::uint64_t{0} >> (64 - 4 * (levels + march_ahead + 2));
#pragma unroll 1
  for (int y = start; y < to + levels; y += 2) {
    float4 row = ahead[0];
    float4 row_below = ahead[1];
#pragma unroll
    for (int i = 2; i < march_ahead; ++i) ahead[i - 2] = ahead[i];
    reader.load(ahead[march_ahead - 2], ahead[march_ahead - 1], y + march_ahead);

    // One decision for the whole warp: does it have to look for borders, for sources, for neither?
    // Warps that meet sources or a side hold up the others, so there are three ways, not two.
    if (place.ragged || y <= input.top + levels || y >= input.bottom)
      march_rows<Borders::columns>(state, row, row_below, y, reader.history);
    else if (place.at_side || __any_sync(all_lanes, (reader.history & used) != 0))
      march_rows<Borders::lanes>(state, row, row_below, y, reader.history);
    else
      march_rows<Borders::none>(state, row, row_below, y, reader.history);

    const int y_done = y - levels;
    float* out_cells = out + static_cast<long long>(y_done) * input.pitch + place.x;
    const unsigned own_rows = place.own ? to - from : 0;
    if (static_cast<unsigned>(y_done - from) < own_rows) store_cells(out_cells, row);
    if (static_cast<unsigned>(y_done + 1 - from) < own_rows)
      store_cells(out_cells + input.pitch, row_below);
  }
}

// ---- a launch of many warps

/// How rows are cut for a kernel that marches: into `strips` strips of columns, and each strip into
/// segments of `rows_per_warp` rows, one per warp.
struct MarchCut {
  int strips;
  int rows_per_warp;
  int blocks;
};

/// How many times the warps of a pass over so many rows fill the GPU. If a warp has more rows, the
/// warps that meet sources hold up the others; if it has fewer, too many rows are computed twice.
/// Fitted to H200s, to plates of 16384 and 32768 cells per side on 1, 2 and 4 GPUs.
inline double march_rounds(int rows) { return std::clamp(std::round(rows / 1350.0), 1.0, 6.0); }

/// So that the warps fill the device `rounds` times. Few rows per warp mean much redundant work
/// (2 x levels rows above and below), few warps an idle device.
template <int levels, auto kernel>
MarchCut march_cut(int width, int rows, double rounds) {
  static const int blocks_at_once = [] {
    int blocks = 0;  // per multiprocessor
    HANDLE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, march_threads, 0));
    return blocks * multiprocessors();
  }();
  const int strips = div_up(width, march_columns(levels));
  const int segments =
      std::max(1, static_cast<int>(rounds * blocks_at_once * march_warps / strips));
  const int rows_per_warp = std::max(2 * levels, div_up(rows, segments));
  const int blocks = div_up(strips * div_up(rows, rows_per_warp), march_warps);
  return {.strips = strips, .rows_per_warp = rows_per_warp, .blocks = blocks};
}

/// `levels` time steps of rows begin to end - 1. Grid and block: see launch_march().
template <int levels>
__global__ void __launch_bounds__(march_threads, march_blocks(levels))
    march_kernel(float* out, MarchInput input, int begin, int end, int strips, int rows_per_warp,
                 bool first, bool last) {
  const int warp = threadIdx.x / warp_lanes + blockIdx.x * march_warps;
  const int from = begin + warp / strips * rows_per_warp;
  if (from >= end) return;  // a whole warp
  march<levels>(out, input, warp % strips, from, min(from + rows_per_warp, end), first, last);
}

/// One trip of rows through memory, in which they make `levels` time steps.
struct Pass {
  int begin;      ///< the first row
  int end;        ///< behind the last row
  bool first;     ///< does it begin a frame, where cells do not hold their sources yet?
  bool last;      ///< does it end a frame, where a source is not held?
  double rounds;  ///< of march_cut()
};

/// Appends a pass to the stream; nothing for no rows.
template <int levels>
void launch_march(float* out, const MarchInput& input, const Pass& pass, cudaStream_t stream) {
  if (pass.begin >= pass.end) return;
  const MarchCut cut =
      march_cut<levels, march_kernel<levels>>(input.width, pass.end - pass.begin, pass.rounds);
  march_kernel<levels><<<cut.blocks, march_threads, 0, stream>>>(
      out, input, pass.begin, pass.end, cut.strips, cut.rows_per_warp, pass.first, pass.last);
  HANDLE_ERROR(cudaGetLastError());
}

}  // namespace heat_multi_gpu
