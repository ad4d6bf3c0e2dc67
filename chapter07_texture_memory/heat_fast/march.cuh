#pragma once
// A warp's march down its rows: temporal blocking (2.5D streaming), for `registers` and for chapter
// 11's heat_multi_gpu, where rows of the plate are on several GPUs. So the plate's first and last
// row need not be the first and last rows in memory, and a warp may compute any of the rows.
//
// A warp holds a strip of columns, four per lane, and reads one row after another. Level s of a
// row is the row after s steps. When row y of level s arrives, row y - 1 of level s + 1 can be
// computed from it and the two rows before. So each row that is read advances every level by one
// row, and the plate goes through memory once per `levels` steps:
//
//      row read:          y     level 0   -> rows y-2, y-1 kept in registers
//        computes row   y - 1   level 1   -> rows y-3, y-2 kept
//        computes row   y - 2   level 2   -> ...
//        stores row   y - levels, level `levels`

#include <cstdint>

#include "../../common/device_memory.h"
#include "step.cuh"

namespace heat_fast {

constexpr int march_warps = 4;  // per block; they do not work together
constexpr int march_threads = march_warps * warp_lanes;

/// The number of rows in flight from memory while older ones are computed; even. More rows hide
/// more latency and need more registers.
constexpr int march_ahead = 4;

/// Blocks per multiprocessor that the registers must allow, for a kernel's launch bounds. A lane
/// needs 8 registers per level, and about 50 more.
constexpr int march_blocks(int levels) {
  if (levels <= 1) return 7;
  if (levels <= 4) return 5;
  if (levels <= 6) return 4;
  return 3;
}

/// A warp's columns: its own columns, which are a strip of the plate, and a halo on each side. A
/// lane's columns are all halo or all the warp's own.
__host__ __device__ constexpr int march_halo(int levels) {
  return div_up(levels, lane_cells) * lane_cells;
}
__host__ __device__ constexpr int march_columns(int levels) {
  return warp_columns - 2 * march_halo(levels);
}

// Sources as bits: one word for 8 rows x 4 columns, so a lane reads one word per eight rows. Bit 4
// (y mod 8) + (x mod 4) of word (y / 8) (pitch / 4) + x / 4 says whether cell (x, y) is a source.
// The pitch, the floats from one row to the next, is a multiple of 4. One thread per word.
static __global__ void source_bits_kernel(unsigned* bits, const float* sources, int width, int rows,
                                          int pitch) {
  const int column = threadIdx.x + blockIdx.x * blockDim.x;
  const int group = blockIdx.y;
  if (column >= pitch / 4) return;
  unsigned word = 0;
  for (int row = 0; row < 8 && 8 * group + row < rows; ++row)
    for (int i = 0; i < 4 && 4 * column + i < width; ++i) {
      const size_t first = static_cast<size_t>(8 * group + row) * pitch + 4 * column;
      if (sources[first + i] != 0) word |= 1u << (4 * row + i);
    }
  bits[static_cast<size_t>(group) * (pitch / 4) + column] = word;
}

/// The source bits of `rows` rows of `width` cells.
inline DeviceMemory<unsigned> make_source_bits(const float* sources, int width, int rows,
                                               int pitch) {
  const int words = pitch / 4;  // of eight rows
  const int groups = div_up(rows, 8);
  DeviceMemory<unsigned> bits(static_cast<size_t>(words) * groups);
  const dim3 blocks(div_up(words, 128), groups);
  source_bits_kernel<<<blocks, 128>>>(bits.get(), sources, width, rows, pitch);
  HANDLE_ERROR(cudaGetLastError());
  return bits;
}

/// The input of a pass: rows of the plate that are in memory one after another.
struct MarchInput {
  const float* cells;
  const float* sources;         ///< 0 if a cell is not a source
  const unsigned* source_bits;  ///< the same as bits, see source_bits_kernel()
  int width;                    ///< cells per row
  int rows;                     ///< in memory
  /// Floats from one row to the next, a multiple of 4; cells after `width` mean nothing.
  int pitch;
  int top;     ///< the plate's first row, counted from row 0 of these rows; may be negative
  int bottom;  ///< the plate's last row, likewise
};

/// The state that a marching warp keeps from row to row.
template <int levels>
struct MarchState {
  int top;     ///< the plate's first row, as in MarchInput
  int bottom;  ///< the plate's last row
  Columns columns;
  /// A mask for the sources' bits at the last level. It is not a branch, because nvcc 13.0 would
  /// duplicate the code after it, and twice the code takes longer to fetch.
  unsigned held_last;
  /// Two rows of each level, in turn at index 0 and 1 (the parity of the row that is being read).
  float4 kept[levels][2];
};

/// Moves row y of level 0 through all levels: it becomes a finished row.
///   borders  what the warp has to look for:
///              none     neither a source nor a border of the plate is near
///              lanes    sources, and the plate's left and right border where its width is a
///                       multiple of 4
///              columns  everything, the plate's first and last row, too
///   history  the source bits of the lane's cells, row y - 1 in bits 0 to 3, row y - 2 in bits 4
///            to 7, ...
///   parity   y % 2: where a level's row goes in `kept`. If y is 6, row 5 of level 1 arrives.
///            kept[1][1] is row 4 and kept[1][0] is row 3; row 5 replaces row 3, no longer needed.
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

/// The place of a lane's four columns of a strip.
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

/// Requests rows from memory in pairs, each once, from `start` on, which is even.
struct MarchReader {
  const MarchInput& input;
  int x;         ///< of the lane's first cell
  bool inside;   ///< the plate has that column
  int start;     ///< the first row
  int rows_end;  ///< after the last row that may be read
  bool first;    ///< the first pass of a frame: sources in place of their cells
  /// The source bits of the lane's cells in the last 16 requested rows: 4 bits per row, the
  /// youngest row in bits 0 to 3. They come in words of eight rows, which are loaded early.
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

  /// Starts to load rows y and y + 1; y is even; zeros outside. Every instruction here counts as
  /// much as one of a level. So work that is the same for both rows is done once, and offsets are
  /// products of two ints.
  __device__ void load(float4& row, float4& row_below, int y) {
    if (y % 8 == 0 && y != start) {
      word = next_word;
      next_word = bits_of_rows((y >> 3) + 1);
    }
    // Bits 0 to 3 are those of the row, bits 4 to 7 those of the row below. In the history the
    // youngest row comes first, so they are the other way round.
    const unsigned bits = word >> 4 * (y & 7);
    history = history << 8 | (bits & 15) << 4 | (bits >> 4 & 15);
    const float* cells = input.cells + static_cast<long long>(y) * input.pitch + x;
    // As unsigned numbers, rows above the first one in memory are also past the end.
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

  /// Load each cell from its own place. Loading both places and then choosing would wait for the
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
/// The rows up to `levels` above and below must be in memory if the plate has them.
/// `first`, `last`: whether these steps begin and end a frame (2_fused.cuh).
template <int levels>
__device__ inline void march(float* out, const MarchInput& input, int strip, int from, int to,
                             bool first, bool last) {
  static_assert(levels + march_ahead + 2 <= 16,
                "the history of source bits holds 16 rows of 4 bits");
  const MarchPlace<levels> place(strip, input.width);
  const int start = (from - levels) & ~1;  // in pairs; >> and & also round down below zero
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

  // A turn of the loop for rows y and y + 1 (march_ahead is 4):
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

    // One decision for the whole warp: must it check for borders, for sources, or for neither?
    // Warps that meet sources or a side delay the others, so there are three cases, not two.
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

}  // namespace heat_fast
