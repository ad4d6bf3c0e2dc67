// The values of __device__ and __constant__ variables, of which each device has its own. The program has one object for each
// variable; it holds the values of the device whose kernel ran last, and those of the others are kept aside. One kernel runs
// at a time, so two devices never need the objects at once.
#pragma once

#include <mutex>

namespace emulated {

/// Before anything writes to a variable: remembers what all hold at the program's start.
void keep_first_values();
/// Before a kernel runs: the variables hold the values of this host thread's device.
void place_variables();
/// As cudaDeviceReset does: this host thread's device has the first values again.
void reset_variables();

/// Where this host thread's device has the byte at an address, which may lie in a variable that holds another device's
/// values. Those stay there as long as this object lives.
class OnDevice {
 public:
  explicit OnDevice(const void* address);

 private:
  std::unique_lock<std::recursive_mutex> lock_;

 public:
  char* const place;
};

}  // namespace emulated
