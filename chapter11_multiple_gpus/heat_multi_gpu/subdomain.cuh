#pragma once
// The rows of the plate that a rank computes, in its GPU's memory.
//
//      row 0       +------------------+
//                  | halo above       |  copies of the last rows of the rank above
//      begin       +------------------+
//                  | own rows         |
//      end         +------------------+
//                  | halo below       |  copies of the first rows of the rank below
//      rows        +------------------+

#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <vector>

#include "../../common/device_memory.h"

namespace heat_multi_gpu {

class Communicator;
struct MarchRows;

/// Side 0 is above, side 1 below.
constexpr int sides = 2;
constexpr int no_rank = -1;

/// Rows of a halo: a rank can do so many steps before it needs new ones. README.md tells why not
/// more.
constexpr int halo_rows = 10;

/// Cell (x, y) of a grid is at x + y * pitch, row 0 being the first one in memory.
struct Subdomain {
  int dim;                           ///< cells per side of the whole plate
  int halo;                          ///< rows of it, fewer where a rank has fewer of its own
  std::array<int, sides> neighbors;  ///< their ranks; `no_rank` at the plate's border
  int begin;                         ///< the first own row
  int end;                           ///< behind the last own row
  int rows;                          ///< in memory
  int first_row;                     ///< row 0 here is this row of the plate
  std::size_t pitch;                 ///< a multiple of 32: rows begin at multiples of 128 bytes
  DeviceMemory<float> grids[2];      ///< in turn the grid and room for the next one
  int current = 0;                   ///< which of them holds the grid
  DeviceMemory<float> sources;       ///< 0 where a cell is no source
  /// The sources as bits: one word for 8 rows x 4 columns, so a lane reads one word per
  /// eight rows. Bit 4 (y mod 8) + (x mod 4) of word (y / 8) (pitch / 4) + x / 4 says
  /// whether cell (x, y) is a source.
  DeviceMemory<unsigned> source_bits;

  /// The rank's share of a plate of dim x dim cells, at its start.
  Subdomain(int dim, const Communicator& comm);

  float* grid() const { return grids[current].get(); }
  float* next_grid() const { return grids[1 - current].get(); }
  void swap_grids() { current = 1 - current; }

  int own() const { return end - begin; }
  bool has(int side) const { return neighbors[side] != no_rank; }
  /// Of `count` rows on that side: the first of the own ones that the neighbor needs, and of the
  /// halo rows that it gives.
  int border_row(int side, int count) const { return side == 0 ? begin : end - count; }
  int halo_row(int side, int count) const { return side == 0 ? begin - count : end; }

  MarchRows march_rows() const;             ///< the grid as march.cuh takes it
  void restart();                           ///< the plate at its start
  std::vector<float> download_own() const;  ///< the own rows, dim cells each
  /// A number that stands for all cells of the plate and their places, the
  /// same for any number of ranks.
  std::uint64_t checksum(Communicator& comm) const;
};

}  // namespace heat_multi_gpu
