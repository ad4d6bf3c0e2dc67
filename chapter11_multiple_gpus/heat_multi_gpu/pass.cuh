#pragma once
// A pass: one launch in which many warps march down rows of the plate. A warp does several time
// steps with chapter 7's technique, heat_fast/march.cuh. Here the rows are those of one GPU, and a
// launch may compute any of them.

#include <algorithm>
#include <cmath>

#include "../../chapter07_texture_memory/heat_fast/march.cuh"
#include "../../common/device.h"

namespace heat_multi_gpu {

using heat_fast::march;
using heat_fast::march_blocks;
using heat_fast::march_columns;
using heat_fast::march_threads;
using heat_fast::march_warps;
using heat_fast::MarchInput;
using heat_fast::MarchPlace;
using heat_fast::warp_lanes;

/// The division of rows for a kernel that marches: into `strips` strips of columns, and each strip
/// into segments of `rows_per_warp` rows, one per warp.
struct MarchCut {
  int strips;
  int rows_per_warp;
  int blocks;
};

/// The number of times that the warps of a pass over so many rows fill the GPU. With more rows per
/// warp, those that meet sources delay the others. With fewer, too many rows are computed twice.
/// Fitted to H200s, to plates of 16384 and 32768 cells per side on 1, 2 and 4 GPUs.
inline double march_rounds(int rows) { return std::clamp(std::round(rows / 1350.0), 1.0, 6.0); }

/// The warps fill the device `rounds` times. Few rows per warp mean much redundant work (2 x levels
/// rows above and below); few warps mean an idle device.
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
  int end;        ///< after the last row
  bool first;     ///< does it begin a frame, when cells do not hold their sources yet?
  bool last;      ///< does it end a frame, where a source is not held?
  double rounds;  ///< of march_cut()
};

/// Appends a pass to the stream; does nothing without rows.
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
