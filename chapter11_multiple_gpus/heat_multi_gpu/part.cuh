// A rank's part of the plate in its GPU's memory, and time steps of some of its rows.
//
//      row 0       +------------------+
//                  | halo above       |  copies of the last rows of the rank above
//      begin       +------------------+
//                  | own rows         |
//      end         +------------------+
//                  | halo below       |  copies of the first rows of the rank below
//      rows        +------------------+
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "../../common/device_memory.h"

namespace heat_multi_gpu {

class Team;
struct MarchRows;

/// Side 0 is above, side 1 below.
constexpr int sides = 2;
constexpr int no_rank = -1;

/// Rows of a halo; with so many a rank can do as many steps on its own.
/// Found by measuring (README.md).
constexpr int halo_rows = 10;

/// One trip of rows through memory, in which they make `steps` time steps, one or
/// halo_rows. `first`, `last`: whether it begins or ends a frame, where sources and cells
/// differ (2_fused.cuh of heat_fast).
struct Pass {
  int steps;
  bool first;
  bool last;
};

/// The part of a plate of dim x dim cells that a rank computes. Cell (x, y) is at x + y * pitch.
struct Part {
  ///< halo: rows of it, fewer where a rank has fewer of its own
  int dim;
  int halo;
  std::array<int, sides> neighbors;  ///< their ranks; `no_rank` at the plate's border
  ///< own rows; rows in memory
  int begin;
  int end;
  int rows;
  int first_row;                 ///< row 0 here is this row of the plate
  std::size_t pitch;             ///< floats, a multiple of 32: rows begin at multiples of 128 bytes
  DeviceMemory<float> grids[2];  ///< in turn the grid and room for the next one
  int now = 0;                   ///< which of them holds the grid
  DeviceMemory<float> sources;   ///< 0 where a cell is no source
  DeviceMemory<unsigned> source_bits;

  Part(int dim, const Team& team);  ///< with the plate at its start

  /// Steps of the next pass, when `left` are left of a frame.
  int pass_steps(int left) const { return std::min(left, halo) < halo_rows ? 1 : halo_rows; }
  int own() const { return end - begin; }
  bool has(int side) const { return neighbors[side] != no_rank; }
  float* row(int grid, int y) const { return grids[grid].get() + y * pitch; }
  /// The first of `rows` own rows that the neighbor on that side needs, and
  /// of the halo rows that it gives.
  int border_row(int side, int rows) const { return side == 0 ? begin : end - rows; }
  int halo_row(int side, int rows) const { return side == 0 ? begin - rows : end; }

  /// The rows as march.cuh takes them.
  MarchRows march_rows() const;
  /// Appends a pass over rows from to `to` - 1 to the stream, from grid `now` to the other one;
  /// nothing for no rows. The warps fill the GPU at least `min_rounds` times.
  void march(Pass pass, int from, int to, cudaStream_t stream, double min_rounds = 1) const;

  void restart();  ///< the plate at its start
  /// Rows of the grid from row y on, dim cells each.
  void upload(int y, const std::vector<float>& cells);
  std::vector<float> download(int y, int count) const;
  /// A number that stands for all cells of the plate and their places, the
  /// same for any number of ranks.
  std::uint64_t checksum(Team& team) const;
};

/// How many times the warps of a pass over so many rows fill the GPU: so many that a warp has about
/// 135 rows, but at most 6 times. With longer parts the warps that meet sources hold up the others,
/// with shorter ones too many rows are computed twice. Measured on an H200 with plates of 16384 and
/// 32768 cells per side on 1, 2 and 4 GPUs.
double march_rounds(int rows);

}  // namespace heat_multi_gpu
