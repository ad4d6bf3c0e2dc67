#pragma once
// A checkpoint: the plate after a frame, in one file that all ranks write and read together. It does not tell how the
// plate was split, so any number of ranks can go on from it.
#include <array>
#include <cstdint>
#include <string>

#include "part.cuh"

/// Where a computation stands: the beginning of the file. The plate's cells follow, row by row.
struct PlateState {
  std::array<char, 16> kind = {'h', 'e', 'a', 't', ' ', 'c', 'h', 'e',
                               'c', 'k', 'p', 'o', 'i', 'n', 't', '\n'};
  std::int64_t size = 0, steps = 0, frame = 0;
  std::uint64_t checksum = 0;  ///< of all cells (Part::checksum) and the numbers above
};

// Each is called by all ranks together, and returns what went wrong; empty, on all ranks, when nothing did.

/// Writes beside `path`, as `path`.partial, and renames that when all is on the disk: `path` is the old file or the new
/// one.
std::string write_checkpoint(const std::string& path, const PlateState& state, const Part& part, Team& team);
/// Reads the numbers.
std::string read_checkpoint(const std::string& path, PlateState& state, Team& team);
/// Loads each rank's part. Whether it has the checksum is to be looked at afterwards.
std::string load_checkpoint(const std::string& path, Part& part, Team& team);
