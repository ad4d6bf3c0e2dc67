// Rung 5, registers: a warp marches down the plate with several time levels in registers (temporal blocking, in the
// literature 2.5D or 3.5D blocking).
//
// A warp holds 128 columns, four per lane, and reads one row after the other. Level s of a row is the row after s steps;
// when row y arrives, every level advances by one row, and row y - `levels` leaves finished (march.cuh draws it). So the
// plate goes through memory once per `levels` steps.
//
// Gain over rung 4: no shared memory, no barrier, and less redundant work, with a halo of 8 or 12 of the 128 columns on each
// side, and of `levels` rows above and below hundreds. Sources are one bit per cell; their temperatures are read only
// where the first pass of a frame has to insert them.
#pragma once

#include "../../common/device_memory.h"
#include "march.cuh"
#include "plate.h"

// Found by measuring on an H200 (README.md). Rounds: how often the warps fill the device; large plates have rows enough
// for several, which even out that some warps have more work.
constexpr int registers_levels = 6, registers_deep_levels = 10, registers_deep_from = 8192;
constexpr double registers_rounds = 1, registers_deep_rounds = 6;

/// `levels` time steps of the plate. It is cut into strips of columns, and each strip into segments of `rows_per_warp`
/// rows: a warp makes one segment of one strip. `first`, `last`: whether this launch begins and ends a frame.
template <int levels>
__global__ void __launch_bounds__(march_warps* warp_lanes, march_blocks(levels))
    march_kernel(float* out, MarchRows plate, int strips, int rows_per_warp, bool first, bool last) {
  const int warp = threadIdx.x / warp_lanes + blockIdx.x * march_warps;
  const int strip = warp % strips, from = warp / strips * rows_per_warp;
  if (from >= plate.rows) return;  // a whole warp
  march<levels>(out, plate, strip, from, min(from + rows_per_warp, plate.rows), first, last);
}

class RegistersHeat {
 public:
  explicit RegistersHeat(const Plate& plate) : source_bits_(source_words(plate.dim, pitch(plate))) {
    make_source_bits(source_bits_.get(), plate.sources, plate.dim, plate.dim, pitch(plate));
  }

  /// Passes of 10 or 6 steps, then what is left step by step.
  int run(Plate& plate, int steps, cudaStream_t stream = nullptr) {
    const bool deep = plate.dim >= registers_deep_from;
    const double rounds = deep ? registers_deep_rounds : registers_rounds;
    int passes = 0;
    for (int left = steps; left > 0; ++passes) {
      const bool first = left == steps;
      if (deep && left >= registers_deep_levels)
        left -= pass<registers_deep_levels>(plate, first, left, rounds, stream);
      else if (left >= registers_levels)
        left -= pass<registers_levels>(plate, first, left, rounds, stream);
      else
        left -= pass<1>(plate, first, left, rounds, stream);
    }
    return passes;
  }

  /// `levels` of the `left` steps of a frame. The warps fill the device `rounds` times. Returns `levels`.
  template <int levels>
  int pass(Plate& plate, bool first, int left, double rounds, cudaStream_t stream) const {
    static const int warps_at_once = march_warps_at_once(march_kernel<levels>);
    const int dim = plate.dim, strips = march_strips(levels, dim);
    const int rows = march_segment(levels, dim, dim, rounds * warps_at_once);
    const MarchRows in = {plate.in, plate.sources, source_bits_.get(), dim, dim, pitch(plate), 0, dim - 1};
    march_kernel<levels>
        <<<div_up(strips * div_up(dim, rows), march_warps), march_warps * warp_lanes, 0, stream>>>(
            plate.out, in, strips, rows, first, left == levels);
    HANDLE_ERROR(cudaGetLastError());
    std::swap(plate.in, plate.out);
    return levels;
  }

 private:
  static int pitch(const Plate& plate) { return static_cast<int>(plate.pitch); }

  DeviceMemory<unsigned> source_bits_;
};
