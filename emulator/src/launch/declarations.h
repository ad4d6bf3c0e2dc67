// What is known of the program's kernels and variables before they are used.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "emulated/declarations.h"

namespace emulated {

/// A kernel, as far as its declarations say. Lives as long as the program.
struct KernelFacts {
  unsigned threads = 0;            // at most in a block
  std::size_t shared_bytes = 0;    // static shared memory
  std::vector<SharedNote> shared;  // what must be filled for each block: at least its own
};
/// nullptr: a kernel whose address is not known. It may use all static shared
/// memory; nothing else is known of it.
const KernelFacts& kernel_facts(const void* kernel);

/// Is this the beginning of a variable of the device?
bool is_variable(const void* address);
/// A variable of the device.
struct DeviceVariable {
  char* begin = nullptr;
  std::size_t bytes = 0;
  std::string name;
  bool constant = false;
  bool managed = false;
  bool common = false;  // one for all devices and the host: __managed__, const
  char* host_copy = nullptr;
};
/// The one in which this address lies; nullptr: it is in none.
const DeviceVariable* variable_at(const void* address);
/// The one in whose copy on the host this address lies; nullptr: it is in none.
const DeviceVariable* variable_of_host_copy(const void* address);
void for_each_variable(const std::function<void(const DeviceVariable&)>& function);
/// Is this an address within such a variable?
bool is_in_variable(const void* address);
/// Does nothing lie there, since it is near a variable, and the program explains?
bool is_in_gap(const void* address);

}  // namespace emulated
