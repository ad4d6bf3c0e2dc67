#pragma once
// A checkpoint: the plate after a frame, in one file that all ranks write and read together through MPI-IO. It does not
// tell how the plate was split, so any number of ranks can go on from it.
//
//      256 bytes    one line of text, filled up with spaces: head -n 1 FILE shows it
//      rows         the plate's cells, row by row, as floats of the machine

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "team.h"

/// Cells, row by row: as in heat_common.h, whose kernels this file has no use for.
using Cells = std::vector<float>;

/// Where a computation stands.
struct PlateState {
  int size = 0;                ///< cells per side
  int steps = 0;               ///< per frame: frames end in the same places, whoever goes on
  int frame = 0;               ///< how many are done
  std::uint64_t checksum = 0;  ///< of all cells (checksum.cuh)
};

/// Consecutive rows of the plate that a rank has.
struct RankRows {
  int first, count;
};

/// Writes a checkpoint beside `path`, as `path`.partial, and renames it when all is on the disk: `path` is the old
/// file or the new one. Called by all ranks together. rows_of(first, count): rows of the plate, all among `own`.
/// Returns what went wrong, the same sentence on all ranks; empty when nothing did.
std::string write_checkpoint(const std::string& path, const PlateState& state, RankRows own,
                             const std::function<Cells(int first, int count)>& rows_of, Team& team);

/// Reads the first line. Called by all ranks together. Returns what is wrong with the file (it is none, it is damaged
/// or truncated), the same sentence on all ranks; empty when `state` is what it says.
std::string read_checkpoint_state(const std::string& path, PlateState& state, Team& team);

/// Rows of the plate: `count` of them from `first` on, size * count cells.
using RowsOfPlate = std::function<Cells(int size, int first, int count)>;

/// Calls load(rows) on every rank, in which it may read the rows that it wants. Returns as above. That the cells are
/// those of the checksum is to be looked at afterwards.
std::string read_checkpoint_rows(const std::string& path, Team& team,
                                 const std::function<void(const RowsOfPlate& rows)>& load);
