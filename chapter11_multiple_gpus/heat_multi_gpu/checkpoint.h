#pragma once
// A checkpoint: the plate after a frame, in one file that all ranks write and read together. It
// does not depend on how the plate was split, so any number of ranks can continue from it.
#include <array>
#include <cstdint>
#include <string>

#include "part.cuh"
#include "team.h"

namespace heat_multi_gpu {

/// Where a computation stands: the beginning of the file. The plate's cells follow, row by row.
struct PlateState {
  std::array<char, 16> kind = {"heat checkpoint"};
  std::int64_t size = 0;
  std::int64_t steps = 0;
  std::int64_t frame = 0;
  std::uint64_t checksum = 0;  ///< of all cells (Part::checksum) and the frame
};

// Both are called by all ranks together, and return what went wrong; empty,
// on all ranks, when nothing did.

/// Writes beside `path`, as `path`.partial, and renames that when all is written: `path` is the old
/// file or the new one.
std::string write_checkpoint(const std::string& path, const PlateState& state, const Part& part,
                             Team& team);
/// Loads each rank's part. `state`: size and steps as they have to be; then what the file says.
/// Whether the cells have the checksum is to be looked at afterwards.
std::string read_checkpoint(const std::string& path, PlateState& state, Part& part, Team& team);

}  // namespace heat_multi_gpu
