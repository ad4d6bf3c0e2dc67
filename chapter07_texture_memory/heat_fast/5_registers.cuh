// Rung 5, registers: a warp marches down the plate with several time levels in registers.
//
// Gains over rung 4: no shared memory, no barrier, and a halo on two sides only. A warp holds 128 columns,
// four per lane. It reads one row after the other. Level s of a row is the row after s steps. When row y of
// level s arrives, row y - 1 of level s + 1 can be computed from rows y - 2, y - 1 and y of level s; so
// each row read lets every level advance by one row, and row y - `levels` leaves finished:
//
//      row read:          y     level 0   -> rows y-2, y-1 kept in registers
//        computes row   y - 1   level 1   -> rows y-3, y-2 kept
//        computes row   y - 2   level 2   -> ...
//        writes row  y - levels, level `levels`
//
// The plate goes through memory once per `levels` steps. Sources come as one bit per cell instead of a
// float; the source's temperature itself is read only where the first pass of a frame has to put it in.
// Left and right of its own columns a warp loads a halo (redundant work: 2 x 8 or 2 x 12 columns of 128),
// above and below `levels` rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../common/device.h"
#include "step.cuh"

constexpr int march_warps = 4;  // per block; they do not work together

/// Rows that are on their way from memory while older ones are computed. Even; more hides more latency, in
/// registers.
constexpr int march_ahead = 4;

/// Blocks per multiprocessor that the registers shall allow: 8 registers per level and lane, and about 50
/// more.
constexpr int march_blocks(int levels) { return levels <= 1 ? 7 : levels <= 4 ? 5 : levels <= 6 ? 4 : 3; }

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

/// How the rows of a strip are cut into segments, one per warp: first `long_count` of long_rows rows each,
/// then as many of short_rows as it takes. A warp computes 2 x levels rows more than its segment has, so few
/// long segments waste less; but warps that meet sources take longer, and with long ones alone the device
/// would wait for the slowest. The short ones, which start last, fill that time.
struct Segments {
  int long_count, long_rows, short_rows;

  /// The first row of segment i, counted from the first row of all.
  __host__ __device__ int begin(int i) const {
    return i <= long_count ? i * long_rows : long_count * long_rows + (i - long_count) * short_rows;
  }
  int count(int rows) const { return long_count + div_up(rows - long_count * long_rows, short_rows); }
};

/// `levels` time steps of rows begin to end - 1 of the slab, from `in` to `out`. The rows up to `levels`
/// above and below must be in the slab, as far as the plate has them. Every warp makes a segment of
/// march_own_columns(levels) columns; strips: warps beside each other. `first`, `last`: whether this launch
/// begins and ends a frame. `ahead_rows`: see march_ahead. `blocks`: per multiprocessor.
template <int levels, int ahead_rows, int blocks>
__global__ void __launch_bounds__(march_warps* warp_lanes, blocks)
    march_kernel(float* out, const float* in, const float* sources, const unsigned* source_bits, Slab slab,
                 int begin, int end, int strips, Segments segments, float k, bool first, bool last) {
  static_assert(levels + ahead_rows + 2 <= 16, "the history of source bits holds 16 rows of 4 bits");
  const int lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes + blockIdx.x * march_warps;
  const int strip = warp % strips, from = begin + segments.begin(warp / strips);
  if (from >= end) return;  // a whole warp
  const int to = min(begin + segments.begin(warp / strips + 1), end);

  constexpr int halo = march_halo(levels);
  const int strip_x = strip * march_own_columns(levels) - halo, x = strip_x + lane_cells * lane;
  const bool inside = x >= 0 && x < slab.width;
  const bool own = inside && lane >= halo / lane_cells && lane < warp_lanes - halo / lane_cells;
  const Columns columns = {x == 0, slab.width - x};
  const bool at_side = strip_x <= 0 || strip_x + warp_columns >= slab.width;
  const bool always_any = k != 0.25f || (at_side && slab.width % lane_cells != 0);

  // The source bits of the rows read so far, the youngest in bits 0 to 3; words of eight rows are loaded
  // early.
  std::uint64_t history = 0;
  const auto bits_of_rows = [&](int group) {
    const bool there = inside && group >= 0 && 8 * group < slab.rows;
    return there ? source_bits[group * (slab.pitch / 4) + x / lane_cells] : 0u;
  };
  const int start = (from - levels) & ~1;  // rows are taken in pairs; >> and & round down below zero, too
  unsigned word = bits_of_rows(start >> 3), next_word = bits_of_rows((start >> 3) + 1);

  // Starts to load rows y and y + 1, y being even: zeros outside, and sources in place of their cells in the first
  // launch of a frame. Every instruction here counts as much as one of a level, so what is the same for both rows is
  // done once, and offsets are products of two ints.
  const int pitch = static_cast<int>(slab.pitch), rows_end = inside ? min(slab.rows, to + levels) : 0;
  const auto load = [&](float4& row, float4& row_below, int y) {
    if (y % 8 == 0 && y != start) {
      word = next_word;
      next_word = bits_of_rows((y >> 3) + 1);
    }
    const unsigned bits = word >> 4 * (y & 7);  // of the row in bits 0 to 3, of the one below in bits 4 to 7
    history = history << 8 | (bits & 15) << 4 | (bits >> 4 & 15);
    const float* cells = in + static_cast<long long>(y) * pitch + x;
    // As unsigned numbers, rows above the slab are beyond its end, too.
    const bool there = static_cast<unsigned>(y) < static_cast<unsigned>(rows_end),
               there_below = static_cast<unsigned>(y + 1) < static_cast<unsigned>(rows_end);
    row = row_below = make_float4(0, 0, 0, 0);
    if (!first || !__any_sync(all_lanes, (bits & 255) != 0)) {
      if (there) row = load_cells(cells, 0);
      if (there_below) row_below = load_cells(cells + pitch, 0);
      return;
    }
    // Each cell from its own place, instead of both places and a choice: nothing waits for the loads yet.
    const float* source_cells = sources + (cells - in);
    const auto pick = [](const float* cell_row, const float* source_row, unsigned nibble) {
      return make_float4((nibble & 1 ? source_row : cell_row)[0], (nibble & 2 ? source_row : cell_row)[1],
                         (nibble & 4 ? source_row : cell_row)[2], (nibble & 8 ? source_row : cell_row)[3]);
    };
    if (there) row = pick(cells, source_cells, bits);
    if (there_below) row_below = pick(cells + pitch, source_cells + pitch, bits >> 4);
  };

  float4 ahead[ahead_rows];
#pragma unroll
  for (int i = 0; i < ahead_rows; i += 2) load(ahead[i], ahead[i + 1], start + i);
  Levels<levels> kept;
#pragma unroll
  for (int s = 0; s < levels; ++s) kept[s][0] = kept[s][1] = make_float4(0, 0, 0, 0);

  // The rows whose bits march_row looks at, and those between: y + 1 - levels - 1 to y + 1 + ahead_rows.
  constexpr std::uint64_t used = ~std::uint64_t{0} >> (64 - 4 * (levels + ahead_rows + 2));
#pragma unroll 1
  for (int y = start; y < to + levels; y += 2) {
    const float4 row = ahead[0], row_below = ahead[1];
#pragma unroll
    for (int i = 2; i < ahead_rows; ++i) ahead[i - 2] = ahead[i];
    load(ahead[ahead_rows - 2], ahead[ahead_rows - 1], y + ahead_rows);

    // One decision for the whole warp. The youngest row of the history is y + ahead_rows + 1. Whole warps of sources
    // and at the sides march beside others that wait for them, so these have a short way, too.
    const int plate_y = slab.first_row + y;
    const bool any = always_any || plate_y <= levels || plate_y + 1 >= slab.plate_rows;
    float4 done, done_below;
    const auto march_rows = [&]<Way way>() {
      done =
          march_row<levels, 0, way>(kept, row, y, slab, history >> 4 * (ahead_rows + 2), columns, k, !last);
      done_below = march_row<levels, 1, way>(kept, row_below, y + 1, slab, history >> 4 * (ahead_rows + 1),
                                             columns, k, !last);
    };
    if (any)
      march_rows.template operator()<Way::any>();
    else if (at_side || __any_sync(all_lanes, (history & used) != 0))
      march_rows.template operator()<Way::common>();
    else
      march_rows.template operator()<Way::plain>();
    const int y_done = y - levels;
    float* out_cells = out + static_cast<long long>(y_done) * pitch + x;
    const unsigned own_rows = own ? to - from : 0;
    if (static_cast<unsigned>(y_done - from) < own_rows) store_cells(out_cells, 0, done);
    if (static_cast<unsigned>(y_done + 1 - from) < own_rows) store_cells(out_cells + pitch, 0, done_below);
  }
}

/// Cuts `rows` rows into segments, so that the warps of short ones alone would fill the device `rounds` times.
/// `long_share` of the rows come in long segments, which fill it once; 0: all segments are short.
template <int levels, int ahead_rows, int blocks>
Segments march_segments(int strips, int rows, double rounds, double long_share) {
  static const int warps_at_once = [] {
    int count = 0;
    HANDLE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &count, march_kernel<levels, ahead_rows, blocks>, march_warps * warp_lanes, 0));
    return count * march_warps * device_attribute(cudaDevAttrMultiProcessorCount);
  }();
  const int count = std::max(1, static_cast<int>(rounds * warps_at_once / strips));
  const int short_rows = std::max(2 * levels, div_up(rows, count));
  const int long_count = warps_at_once / strips;
  const int long_rows = long_count > 0 ? static_cast<int>(long_share * rows) / long_count : 0;
  return long_rows > short_rows ? Segments{long_count, long_rows, short_rows} : Segments{0, 0, short_rows};
}

/// Launches march_kernel for rows begin to end - 1 on a stream.
template <int levels, int ahead_rows = march_ahead, int blocks = march_blocks(levels)>
void march(float* out, const float* in, const float* sources, const unsigned* source_bits, const Slab& slab,
           int begin, int end, float k, bool first, bool last, double rounds, cudaStream_t stream = nullptr,
           double long_share = 0) {
  const int strips = div_up(slab.width, march_own_columns(levels));
  const Segments segments =
      march_segments<levels, ahead_rows, blocks>(strips, end - begin, rounds, long_share);
  const int grid = div_up(strips * segments.count(end - begin), march_warps);
  march_kernel<levels, ahead_rows, blocks><<<grid, march_warps * warp_lanes, 0, stream>>>(
      out, in, sources, source_bits, slab, begin, end, strips, segments, k, first, last);
  HANDLE_ERROR(cudaGetLastError());
}

/// Passes of `levels` steps each, then what is left in passes of `levels` / 2, `levels` / 4, ... and 1 steps.
/// `ahead_rows` and `blocks` (see march_kernel) are those of the passes of `levels` steps.
template <int levels, int ahead_rows = march_ahead, int blocks = march_blocks(levels)>
class RegistersRung : public Rung {
 public:
  /// rounds, long_share: see march_segments().
  explicit RegistersRung(const Plate&, double rounds = 1, double long_share = 0)
      : rounds_(rounds), long_share_(long_share) {}

  void advance(Plate& plate, int steps) override { advance<levels, ahead_rows, blocks>(plate, steps, steps); }

  int passes(int steps) const override {
    int count = 0;
    for (int now = levels; now >= 1; now /= 2) {
      count += steps / now;
      steps %= now;
    }
    return count;
  }

 private:
  template <int now, int now_ahead = march_ahead, int now_blocks = march_blocks(now)>
  void advance(Plate& plate, int steps, int left) const {
    for (; left >= now; left -= now) {
      march<now, now_ahead, now_blocks>(plate.out.get(), plate.in.get(), plate.sources.get(),
                                        plate.source_bits.get(), plate.slab, 0, plate.slab.rows, plate.k,
                                        left == steps, left == now, rounds_, nullptr, long_share_);
      std::swap(plate.in, plate.out);
    }
    if constexpr (now > 1) advance<now / 2>(plate, steps, left);
  }

  double rounds_, long_share_;
};

// Found with benchmarks/heat_fast_sweep.cu. At 4096 x 4096 and 90 steps an H200 took 1.080 ms with 4 levels, 0.987
// with 6, 0.990 with 8 and 1.043 with 10. At 16384 x 16384 and 10 steps it took 1.22 ms with 10 levels, one pass, and
// at least 2.00 with 6, three passes. As such plates have rows enough, several rounds pay, which even out the warps'
// different work.
constexpr int registers_levels = 6, registers_deep_levels = 10, registers_deep_from = 8192;
constexpr double registers_rounds = 1, registers_deep_rounds = 6, registers_deep_long_share = 0;

inline std::unique_ptr<Rung> make_registers(const Plate& plate) {
  if (plate.slab.width >= registers_deep_from)
    return std::make_unique<RegistersRung<registers_deep_levels>>(plate, registers_deep_rounds,
                                                                  registers_deep_long_share);
  return std::make_unique<RegistersRung<registers_levels>>(plate, registers_rounds);
}

inline const Method registers_method = {
    "registers", "a warp marches down with several time levels in registers", any_size, make_registers};
