// march(): how a warp takes rows through several time steps in one trip through memory, for 5_registers.cuh.
//
// Level s of a row is the row after s steps. When row y of level s arrives, row y - 1 of level s + 1 can be computed
// from rows y - 2, y - 1 and y of level s; so each row that is read lets every level advance by one row:
//
//      row read:          y     level 0   -> rows y-2, y-1 kept in registers
//        computes row   y - 1   level 1   -> rows y-3, y-2 kept
//        computes row   y - 2   level 2   -> ...
//        stores row   y - levels, level `levels`
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../common/device.h"
#include "step.cuh"

constexpr int march_warps = 4;  // per block; they do not work together

/// Rows in flight from memory while older ones are computed. Even; more hide more latency, in registers.
constexpr int march_ahead = 4;

/// Blocks per multiprocessor that the registers must allow, for a kernel's launch bounds: 8 registers per level and
/// lane, and about 50 more.
constexpr int march_blocks(int levels) { return levels <= 1 ? 7 : levels <= 4 ? 5 : levels <= 6 ? 4 : 3; }

/// A warp's 128 columns are its own, a strip of the plate, and a halo on each side: a lane's four columns are all halo,
/// or all of the warp's own.
constexpr int march_halo(int levels) { return div_up(levels, lane_cells) * lane_cells; }
constexpr int march_strips(int levels, int width) {
  return div_up(width, warp_columns - 2 * march_halo(levels));
}

// Sources as bits: one word for 8 rows x 4 columns, so a lane reads one word per eight rows. Bit 4 (y mod 8) + (x mod 4)
// of word (y / 8) (pitch / 4) + x / 4 says whether cell (x, y) is a source. The pitch, the floats from one row to the
// next, is a multiple of 4.
inline size_t source_words(int rows, int pitch) { return static_cast<size_t>(div_up(rows, 8)) * (pitch / 4); }

/// Makes those words. One thread per word.
static __global__ void source_bits_kernel(unsigned* bits, const float* sources, int width, int rows,
                                          int pitch) {
  const int column = threadIdx.x + blockIdx.x * blockDim.x, group = blockIdx.y;
  if (column >= pitch / 4) return;
  unsigned word = 0;
  for (int row = 0; row < 8 && 8 * group + row < rows; ++row)
    for (int i = 0; i < 4 && 4 * column + i < width; ++i)
      if (sources[static_cast<size_t>(8 * group + row) * pitch + 4 * column + i] != 0)
        word |= 1u << (4 * row + i);
  bits[static_cast<size_t>(group) * (pitch / 4) + column] = word;
}

/// Makes the words of `rows` rows; `bits` has room for source_words(rows, pitch) of them.
inline void make_source_bits(unsigned* bits, const float* sources, int width, int rows, int pitch,
                             cudaStream_t stream = nullptr) {
  source_bits_kernel<<<dim3(div_up(pitch / 4, 128), div_up(rows, 8)), 128, 0, stream>>>(bits, sources, width,
                                                                                        rows, pitch);
  HANDLE_ERROR(cudaGetLastError());
}

/// Rows of a plate that lie in memory one after the other.
struct MarchRows {
  const float* in;              ///< the grid
  const float* sources;         ///< 0 where a cell is no source
  const unsigned* source_bits;  ///< the same as bits (above)
  int width, rows;              ///< cells per row; rows in memory
  int pitch;        ///< floats from one row to the next, a multiple of 4; cells behind `width` mean nothing
  int top, bottom;  ///< the plate's first and last row, counted from row 0 of these rows
};

/// Where a lane's four columns lie in a strip.
template <int levels>
struct MarchLane {
  int strip_x, x;    ///< the warp's first column, and the lane's: below 0 in the halo of the first strip
  bool inside, own;  ///< of the plate; of the strip, the lane has to store them

  __device__ MarchLane(int strip, int width) {
    constexpr int halo = march_halo(levels), halo_lanes = halo / lane_cells;
    const int lane = threadIdx.x % warp_lanes;
    strip_x = strip * (warp_columns - 2 * halo) - halo;
    x = strip_x + lane_cells * lane;
    inside = x >= 0 && x < width;
    own = inside && lane >= halo_lanes && lane < warp_lanes - halo_lanes;
  }
};

// Two rows of each level, in turn at index 0 and 1 (the parity of the row that is being read).
template <int levels>
using Levels = float4[levels][2];

/// Takes row y of level 0 through all levels and returns a finished row. `care`: the warp takes the shortest way that
/// does. none: neither a source nor a border of the plate is near; lanes: sources, and the plate's left and right border
/// where its width is a multiple of 4; columns: anything, its first and last row, too.
/// `history`: the source bits of the lane's cells, row y - 1 in bits 0 to 3, row y - 2 in bits 4 to 7, ...
/// `held_last`: a mask for the sources' bits at the last level; of a condition nvcc 13.0 made a second copy of all that
/// follows, whose fetching made a frame of 1024 x 1024 cells take 0.233 ms instead of 0.200.
template <int levels, int parity, Borders care>
__device__ inline float4 march_row(Levels<levels>& kept, float4 row, int y, int top, int bottom,
                                   std::uint64_t history, Columns columns, unsigned held_last) {
#pragma unroll
  for (int s = 0; s < levels; ++s) {
    const float4 c = kept[s][parity ^ 1];  // row y - s - 1 of level s
    float4 t = kept[s][parity], b = row;
    if (care == Borders::columns && y - s - 1 == top) t = c;
    if (care == Borders::columns && y - s - 1 == bottom) b = c;
    float4 next = add(c, quarters<care>(c, t, b, columns));
    if (care != Borders::none) {
      const unsigned held = static_cast<unsigned>(history >> 4 * s);
      next = choose(s < levels - 1 ? held : held & held_last, c, next);
    }
    kept[s][parity] = row;
    row = next;
  }
  return row;
}

/// `levels` time steps of rows from to `to` - 1 of a strip, by one warp, from plate.in to `out`. The rows up to `levels`
/// above and below must be in memory, as far as the plate has them. `first`, `last`: whether these steps begin and end a
/// frame (2_fused.cuh).
template <int levels>
__device__ inline void march(float* out, const MarchRows& plate, int strip, int from, int to, bool first,
                             bool last) {
  static_assert(levels + march_ahead + 2 <= 16, "the history of source bits holds 16 rows of 4 bits");
  const MarchLane<levels> lane(strip, plate.width);
  const int x = lane.x, pitch = plate.pitch;
  const Columns columns = {x == 0, plate.width - x};
  const bool at_side = lane.strip_x <= 0 || lane.strip_x + warp_columns >= plate.width;
  const bool always_any = at_side && plate.width % lane_cells != 0;

  // The source bits of this lane's cells in the last 16 rows that were asked for: 4 bits per row, the youngest row
  // in bits 0 to 3. They come in words of eight rows, loaded early.
  std::uint64_t history = 0;
  const auto bits_of_rows = [&](int group) {
    const bool there = lane.inside && group >= 0 && 8 * group < plate.rows;
    return there ? plate.source_bits[static_cast<size_t>(group) * (pitch / 4) + x / lane_cells] : 0u;
  };
  const int start = (from - levels) & ~1;  // rows are taken in pairs; >> and & round down below zero, too
  unsigned word = bits_of_rows(start >> 3), next_word = bits_of_rows((start >> 3) + 1);

  // Starts to load rows y and y + 1, y being even: zeros outside, and sources in place of their cells in the first
  // launch of a frame. Every instruction here counts as much as one of a level, so what is the same for both rows is
  // done once, and offsets are products of two ints.
  const int rows_end = lane.inside ? min(plate.rows, to + levels) : 0;
  const auto load = [&](float4& row, float4& row_below, int y) {
    if (y % 8 == 0 && y != start) {
      word = next_word;
      next_word = bits_of_rows((y >> 3) + 1);
    }
    const unsigned bits = word >> 4 * (y & 7);  // of the row in bits 0 to 3, of the one below in bits 4 to 7
    history = history << 8 | (bits & 15) << 4 | (bits >> 4 & 15);
    const float* cells = plate.in + static_cast<long long>(y) * pitch + x;
    // As unsigned numbers, rows above those in memory are beyond their end, too.
    const bool there = static_cast<unsigned>(y) < static_cast<unsigned>(rows_end),
               there_below = static_cast<unsigned>(y + 1) < static_cast<unsigned>(rows_end);
    row = row_below = make_float4(0, 0, 0, 0);
    if (!first || !__any_sync(all_lanes, (bits & 255) != 0)) {
      if (there) row = load_cells(cells);
      if (there_below) row_below = load_cells(cells + pitch);
      return;
    }
    // Each cell from its own place, instead of both places and a choice: nothing waits for the loads yet.
    const float* source_cells = plate.sources + (cells - plate.in);
    const auto pick = [](const float* cell_row, const float* source_row, unsigned nibble) {
      return make_float4((nibble & 1 ? source_row : cell_row)[0], (nibble & 2 ? source_row : cell_row)[1],
                         (nibble & 4 ? source_row : cell_row)[2], (nibble & 8 ? source_row : cell_row)[3]);
    };
    if (there) row = pick(cells, source_cells, bits);
    if (there_below) row_below = pick(cells + pitch, source_cells + pitch, bits >> 4);
  };

  const unsigned held_last = last ? 0 : 15;  // the last step of a frame holds none
  float4 ahead[march_ahead];
#pragma unroll
  for (int i = 0; i < march_ahead; i += 2) load(ahead[i], ahead[i + 1], start + i);
  Levels<levels> kept;
#pragma unroll
  for (int s = 0; s < levels; ++s) kept[s][0] = kept[s][1] = make_float4(0, 0, 0, 0);

  // A turn of the loop, for rows y and y + 1 (march_ahead being 4):
  //
  //   loads      rows y + 4, y + 5                   into ahead[2], ahead[3]
  //   takes      rows y, y + 1                       asked for two turns ago, through all levels
  //   stores     rows y - levels, y - levels + 1     which are finished now, where they are the warp's own
  //
  // So the youngest row in `history` is y + 5. march_row() needs row y - 1 there: march_ahead + 2 rows are shifted
  // out, and for row y + 1 one less. `used`: the bits of rows y - levels to y + 5; all 0 where no source is near.
  constexpr std::uint64_t used = ~std::uint64_t{0} >> (64 - 4 * (levels + march_ahead + 2));
#pragma unroll 1
  for (int y = start; y < to + levels; y += 2) {
    const float4 row = ahead[0], row_below = ahead[1];
#pragma unroll
    for (int i = 2; i < march_ahead; ++i) ahead[i - 2] = ahead[i];
    load(ahead[march_ahead - 2], ahead[march_ahead - 1], y + march_ahead);

    // One decision for the whole warp. Whole warps of sources and at the sides march beside others that wait for
    // them, so these have a short way, too.
    float4 done, done_below;
    const auto march_rows = [&]<Borders care>() {
      done = march_row<levels, 0, care>(kept, row, y, plate.top, plate.bottom,
                                        history >> 4 * (march_ahead + 2), columns, held_last);
      done_below = march_row<levels, 1, care>(kept, row_below, y + 1, plate.top, plate.bottom,
                                              history >> 4 * (march_ahead + 1), columns, held_last);
    };
    if (always_any || y <= plate.top + levels || y >= plate.bottom)
      march_rows.template operator()<Borders::columns>();
    else if (at_side || __any_sync(all_lanes, (history & used) != 0))
      march_rows.template operator()<Borders::lanes>();
    else
      march_rows.template operator()<Borders::none>();
    const int y_done = y - levels;
    float* out_cells = out + static_cast<long long>(y_done) * pitch + x;
    const unsigned own_rows = lane.own ? to - from : 0;
    if (static_cast<unsigned>(y_done - from) < own_rows) store_cells(out_cells, done);
    if (static_cast<unsigned>(y_done + 1 - from) < own_rows) store_cells(out_cells + pitch, done_below);
  }
}

/// How many warps of a kernel that marches the device holds at the same time.
template <class Kernel>
int march_warps_at_once(Kernel* kernel) {
  int blocks = 0;
  HANDLE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, march_warps * warp_lanes, 0));
  return blocks * march_warps * multiprocessors();
}

/// Rows per warp, so that about `warps` warps share `rows` rows: a warp marches down a segment of that many rows in one
/// strip. Few rows per warp mean much redundant work (2 x levels rows above and below), few warps an idle device.
inline int march_segment(int levels, int width, int rows, double warps) {
  const int segments = std::max(1, static_cast<int>(warps / march_strips(levels, width)));
  return std::max(2 * levels, div_up(rows, segments));
}
