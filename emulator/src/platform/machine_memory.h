// How much memory the machine can give to this process.
#pragma once

#include <cstddef>
#include <filesystem>

namespace emulated {

struct MachineMemory {
  std::size_t total = 0;  // bytes: the machine's memory, or less where a control group allows less
  std::size_t free = 0;   // bytes that can be taken without waking the out-of-memory killer
};

/// Reads /proc/meminfo and the limits of the process's control groups, version 1 and 2, from the
/// innermost to the outermost. `root` stands for / (tests give a folder of their own). What cannot
/// be read limits nothing; without /proc/meminfo both numbers are 0.
MachineMemory machine_memory(const std::filesystem::path& root = "/");

}  // namespace emulated
