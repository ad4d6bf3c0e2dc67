#pragma once
// registers - temporal blocking (2.5D streaming): a warp marches down with its levels in registers.
//
// march.cuh draws how a warp computes `levels` steps while it reads each row once.
//
// Gain over tiled on an H200: 1024^2 cells 0.231 -> 0.204, 4096^2 cells 2.60 -> 0.890 ms
// It needs no shared memory, no barrier, and less redundant work: the halo is `levels` rows above
// and below hundreds of rows, and a few lanes on each side. Sources are one bit per cell. Their
// temperatures are read only in the first pass of a frame.
//
// Needed: plate.h (Plate, and what a rung is), march.cuh (a warp's march), step.cuh (the time
// step of a lane's four cells).

#include <algorithm>

#include "../../common/device.h"
#include "march.cuh"
#include "plate.h"

namespace heat_fast {

/// One pass of `levels` time steps. The plate is cut into `strips` strips of columns, and each
/// strip into segments of `rows_per_warp` rows, one per warp.
template <int levels>
__global__ void __launch_bounds__(march_threads, march_blocks(levels))
    march_kernel(float* out, const float* in, const float* sources, const unsigned* source_bits,
                 int dim, int pitch, int strips, int rows_per_warp, bool first, bool last) {
  const MarchInput input{.cells = in,
                         .sources = sources,
                         .source_bits = source_bits,
                         .width = dim,
                         .rows = dim,
                         .pitch = pitch,
                         .top = 0,
                         .bottom = dim - 1};
  const int warp = threadIdx.x / warp_lanes + blockIdx.x * march_warps;
  const int from = warp / strips * rows_per_warp;
  if (from >= dim) return;  // a whole warp
  const int to = min(from + rows_per_warp, dim);
  march<levels>(out, input, warp % strips, from, to, first, last);
}

/// Does `levels` of the `left` remaining steps; returns `levels`. The warps fill the device
/// `rounds` times. Few rows per warp mean much redundant work (2 x levels rows above and below);
/// few warps mean an idle device.
template <int levels>
int launch_march(const Plate& plate, const unsigned* source_bits, bool first, int left,
                 double rounds, cudaStream_t stream) {
  static const int blocks_at_once = [] {
    int blocks = 0;  // per multiprocessor
    HANDLE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, march_kernel<levels>,
                                                               march_threads, 0));
    return blocks * multiprocessors();
  }();
  const int strips = div_up(plate.dim, march_columns(levels));
  const int segments =
      std::max(1, static_cast<int>(rounds * blocks_at_once * march_warps / strips));
  const int rows_per_warp = std::max(2 * levels, div_up(plate.dim, segments));
  const int blocks = div_up(strips * div_up(plate.dim, rows_per_warp), march_warps);
  const bool last = left == levels;
  march_kernel<levels><<<blocks, march_threads, 0, stream>>>(
      plate.out, plate.in, plate.sources, source_bits, plate.dim, static_cast<int>(plate.pitch),
      strips, rows_per_warp, first, last);
  HANDLE_ERROR(cudaGetLastError());
  return levels;
}

class RegistersHeat {
 public:
  explicit RegistersHeat(const Plate& plate)
      : source_bits_(
            make_source_bits(plate.sources, plate.dim, plate.dim, static_cast<int>(plate.pitch))) {}

  /// A frame: passes of many steps, then the rest step by step. Large plates have more warps than
  /// the device holds at once (rounds), because some warps have more work (README.md).
  int run(Plate& plate, int steps, cudaStream_t stream = nullptr) {
    const bool large = plate.dim >= 8192;
    const double rounds = large ? 6 : 1;
    const unsigned* bits = source_bits_.get();
    int passes = 0;
    int levels = 0;
    for (int left = steps; left > 0; left -= levels) {
      const bool first = left == steps;
      if (large && left >= 10)
        levels = launch_march<10>(plate, bits, first, left, rounds, stream);
      else if (left >= 6)
        levels = launch_march<6>(plate, bits, first, left, rounds, stream);
      else
        levels = launch_march<1>(plate, bits, first, left, rounds, stream);
      std::swap(plate.in, plate.out);
      ++passes;
    }
    return passes;
  }

 private:
  DeviceMemory<unsigned> source_bits_;
};

}  // namespace heat_fast
