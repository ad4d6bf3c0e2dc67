// Rung 5, registers: a warp marches down the plate with several time levels in registers.
//
// Gains over rung 4: no shared memory, no barrier, and a halo on two sides only. A warp holds 128 columns,
// four per lane, and reads one row after the other. Level s of a row is the row after s steps; when row y
// arrives, every level advances by one row, and row y - `levels` leaves finished (march_row.cuh draws it). So
// the plate goes through memory once per `levels` steps.
//
// Sources come as one bit per cell instead of a float; the source's temperature itself is read only where the
// first pass of a frame has to put it in. Left and right of its own columns a warp loads a halo (redundant
// work: 2 x 8 or 2 x 12 columns of 128), above and below `levels` rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../common/device.h"
#include "alone.cuh"
#include "march_row.cuh"

constexpr int march_warps = 4;  // per block; they do not work together

/// Rows that are on their way from memory while older ones are computed. Even; more hides more latency, in
/// registers.
constexpr int march_ahead = 4;

/// Blocks per multiprocessor that the registers shall allow: 8 registers per level and lane, and about 50
/// more.
constexpr int march_blocks(int levels) { return levels <= 1 ? 7 : levels <= 4 ? 5 : levels <= 6 ? 4 : 3; }

/// `levels` time steps of rows begin to end - 1 of the slab, from `in` to `out`. The rows up to `levels` above and
/// below must be in the slab, as far as the plate has them. The rows are cut into `strips` of
/// march_own_columns(levels) columns, and each strip into segments of `rows_per_warp` rows: a warp makes one segment
/// of one strip. `first`, `last`: whether this launch begins and ends a frame. `neighbors`: alone.cuh.
template <int levels, class Neighbors>
__global__ void __launch_bounds__(march_warps* warp_lanes, march_blocks(levels))
    march_kernel(float* out, const float* in, const float* sources, const unsigned* source_bits, Slab slab,
                 int begin, int end, int strips, int rows_per_warp, float k, bool first, bool last,
                 Neighbors neighbors) {
  static_assert(levels + march_ahead + 2 <= 16, "the history of source bits holds 16 rows of 4 bits");
  const int lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes + blockIdx.x * march_warps;
  const int strip = warp % strips, segments = div_up(end - begin, rows_per_warp);
  if (warp / strips >= segments) return;  // a whole warp
  const int from = begin + neighbors.segment(warp / strips, segments) * rows_per_warp;
  const int to = min(from + rows_per_warp, end);

  constexpr int halo = march_halo(levels);
  const int strip_x = strip * march_own_columns(levels) - halo, x = strip_x + lane_cells * lane;
  const bool inside = x >= 0 && x < slab.width;
  const bool own = inside && lane >= halo / lane_cells && lane < warp_lanes - halo / lane_cells;
  const Columns columns = {x == 0, slab.width - x};
  const bool at_side = strip_x <= 0 || strip_x + warp_columns >= slab.width;
  const bool always_any = k != 0.25f || (at_side && slab.width % lane_cells != 0);

  // The source bits of this lane's cells in the last 16 rows that were asked for: 4 bits per row, the youngest row
  // in bits 0 to 3. They come in words of eight rows, loaded early.
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

  neighbors.wait(from, to, lane);
  float4 ahead[march_ahead];
#pragma unroll
  for (int i = 0; i < march_ahead; i += 2) load(ahead[i], ahead[i + 1], start + i);
  Levels<levels> kept;
#pragma unroll
  for (int s = 0; s < levels; ++s) kept[s][0] = kept[s][1] = make_float4(0, 0, 0, 0);

  // A turn of the loop, for rows y and y + 1 (march_ahead being 4):
  //
  //   asks for   rows y + 4, y + 5                   into ahead[2], ahead[3]
  //   takes      rows y, y + 1                       asked for two turns ago, through all levels (march_row.cuh)
  //   stores     rows y - levels, y - levels + 1     which are finished now, where they are the warp's own
  //
  // So the youngest row in `history` is y + 5. march_row() wants row y - 1 there: march_ahead + 2 rows are shifted
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
    const int plate_y = slab.first_row + y;
    const bool any = always_any || plate_y <= levels || plate_y + 1 >= slab.plate_rows;
    float4 done, done_below;
    const auto march_rows = [&]<Way way>() {
      done =
          march_row<levels, 0, way>(kept, row, y, slab, history >> 4 * (march_ahead + 2), columns, k, !last);
      done_below = march_row<levels, 1, way>(kept, row_below, y + 1, slab, history >> 4 * (march_ahead + 1),
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
  neighbors.finish(out, from, to, x, own);
}

/// Rows per warp, so that the warps of rows begin to end - 1 fill the device `rounds` times. Few rows per
/// warp mean much redundant work (2 x levels rows above and below), few warps an idle device.
template <int levels, class Neighbors>
int march_rows_per_warp(int strips, int rows, double rounds) {
  static const int warps_at_once = [] {
    int blocks = 0;
    HANDLE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, march_kernel<levels, Neighbors>,
                                                               march_warps * warp_lanes, 0));
    return blocks * march_warps * multiprocessors();
  }();
  const int segments = std::max(1, static_cast<int>(rounds * warps_at_once / strips));
  return std::max(2 * levels, div_up(rows, segments));
}

/// Launches march_kernel for rows begin to end - 1 on a stream.
template <int levels, class Neighbors = Alone>
void march(float* out, const float* in, const float* sources, const unsigned* source_bits, const Slab& slab,
           int begin, int end, float k, bool first, bool last, double rounds, cudaStream_t stream = nullptr,
           Neighbors neighbors = {}) {
  const int strips = div_up(slab.width, march_own_columns(levels));
  const int rows = march_rows_per_warp<levels, Neighbors>(strips, end - begin, rounds);
  const int blocks = div_up(strips * div_up(end - begin, rows), march_warps);
  march_kernel<levels, Neighbors><<<blocks, march_warps * warp_lanes, 0, stream>>>(
      out, in, sources, source_bits, slab, begin, end, strips, rows, k, first, last, neighbors);
  HANDLE_ERROR(cudaGetLastError());
}

/// Passes of `levels` steps each, then what is left in passes of `levels` / 2, `levels` / 4, ... and 1 steps.
template <int levels, class Neighbors = Alone>
class RegistersRung : public Rung {
 public:
  /// rounds: see march_rows_per_warp().
  explicit RegistersRung(const Plate&, double rounds = 1) : rounds_(rounds) {}

  void advance(Plate& plate, int steps) override { advance<levels>(plate, steps, steps); }

  int passes(int steps) const override {
    int count = 0;
    for (int now = levels; now >= 1; now /= 2) {
      count += steps / now;
      steps %= now;
    }
    return count;
  }

 private:
  template <int now>
  void advance(Plate& plate, int steps, int left) const {
    for (; left >= now; left -= now) {
      march<now, Neighbors>(plate.out.get(), plate.in.get(), plate.sources.get(), plate.source_bits.get(),
                            plate.slab, 0, plate.slab.rows, plate.k, left == steps, left == now, rounds_);
      std::swap(plate.in, plate.out);
    }
    if constexpr (now > 1) advance<now / 2>(plate, steps, left);
  }

  double rounds_;
};

// Found with benchmarks/heat_fast_sweep.cu. At 4096 x 4096 and 90 steps an H200 took 1.080 ms with 4 levels, 0.987
// with 6, 0.990 with 8 and 1.043 with 10. At 16384 x 16384 and 10 steps it took 1.22 ms with 10 levels, one pass, and
// at least 2.00 with 6, three passes. As such plates have rows enough, several rounds pay, which even out the warps'
// different work. Which warps begin makes no difference then: tried from three places of the plate on.
constexpr int registers_levels = 6, registers_deep_levels = 10, registers_deep_from = 8192;
constexpr double registers_rounds = 1, registers_deep_rounds = 6;

inline std::unique_ptr<Rung> make_registers(const Plate& plate) {
  if (plate.slab.width >= registers_deep_from)
    return std::make_unique<RegistersRung<registers_deep_levels>>(plate, registers_deep_rounds);
  return std::make_unique<RegistersRung<registers_levels>>(plate, registers_rounds);
}

inline const HeatMethod registers_method = {
    "registers", "a warp marches down with several time levels in registers", any_size, make_registers};
