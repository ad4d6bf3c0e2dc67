// march() of heat_fast on a part of a plate: rows begin to end - 1, with copies of the neighbors' rows around them.
#pragma once

#include "../../chapter07_texture_memory/heat_common.h"
#include "../../chapter07_texture_memory/heat_fast/march.cuh"

/// The rows of a plate that one device has, halo rows above and below included. Row y of the slab is row first_row + y
/// of the plate. After s steps the s outermost rows at an inner end hold no result.
struct Slab {
  int width;      ///< cells per row, the same as the plate's
  int rows;       ///< rows in memory, halo rows included
  size_t pitch;   ///< floats from one row to the next, a multiple of 4; the cells behind `width` mean nothing
  int first_row;  ///< the plate's row that is row 0 here
  int plate_rows;  ///< rows of the whole plate
};

/// Rows begin at multiples of 128 bytes, so that a warp's vector loads are aligned.
inline size_t pitch_of(int width) { return static_cast<size_t>(div_up(width, 32)) * 32; }

/// What march_part_kernel does beside marching where it only marches. Another rung has more to do: 5_one_kernel.cuh.
struct OnlyMarch {
  /// Which segment, of so many, the i-th one to be computed is.
  __device__ int segment(int i, int) const { return i; }
  /// Before a warp reads; rows `from` to `to` - 1 are its own.
  __device__ void wait(int, int, int) const {}
  /// After its last row: out, from, to, the column of the lane's four cells, whether they are the warp's own.
  __device__ void finish(const float*, int, int, int, bool) const {}
};

/// `levels` time steps of rows begin to end - 1, by warps of `rows_per_warp` rows of one of `strips` strips each.
template <int levels, class Neighbors>
__global__ void __launch_bounds__(march_warps* warp_lanes, march_blocks(levels))
    march_part_kernel(float* out, MarchRows rows, int begin, int end, int strips, int rows_per_warp,
                      bool first, bool last, Neighbors neighbors) {
  const int lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes + blockIdx.x * march_warps;
  const int strip = warp % strips, segments = div_up(end - begin, rows_per_warp);
  if (warp / strips >= segments) return;  // a whole warp
  const int from = begin + neighbors.segment(warp / strips, segments) * rows_per_warp;
  const int to = min(from + rows_per_warp, end);
  neighbors.wait(from, to, lane);
  march<levels>(out, rows, strip, from, to, first, last);
  const MarchLane<levels> place(strip, rows.width);
  neighbors.finish(out, from, to, place.x, place.own);
}

/// Launches it, with so many warps as fill the device `rounds` times.
template <int levels, class Neighbors = OnlyMarch>
void march_slab(float* out, const float* in, const float* sources, const unsigned* source_bits,
                const Slab& slab, int begin, int end, bool first, bool last, double rounds,
                cudaStream_t stream, Neighbors neighbors = {}) {
  static const int at_once = march_warps_at_once(march_part_kernel<levels, Neighbors>);
  const int strips = march_strips(levels, slab.width);
  const int rows_per_warp = march_segment(levels, slab.width, end - begin, rounds * at_once);
  const int blocks = div_up(strips * div_up(end - begin, rows_per_warp), march_warps);
  const MarchRows rows = {in,
                          sources,
                          source_bits,
                          slab.width,
                          slab.rows,
                          static_cast<int>(slab.pitch),
                          -slab.first_row,
                          slab.plate_rows - 1 - slab.first_row};
  march_part_kernel<levels, Neighbors><<<blocks, march_warps * warp_lanes, 0, stream>>>(
      out, rows, begin, end, strips, rows_per_warp, first, last, neighbors);
  HANDLE_ERROR(cudaGetLastError());
}
