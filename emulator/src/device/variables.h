// The values of __device__ and __constant__ variables, of which each device has its own. The
// program has one object for each variable; it holds the values of one device, and those of the
// others are kept aside.
#pragma once

#include <mutex>

namespace emulated {

/// Before anything writes to a variable: remembers what all hold at the program's start.
void keep_first_values();
/// The variables hold the values of this host thread's device, as long as the lock is held: while a
/// kernel runs. So one kernel runs at a time.
std::unique_lock<std::mutex> place_variables();
/// The same while a copy runs, where it matters: one of the addresses lies in a variable, and there
/// are several devices.
std::unique_lock<std::mutex> place_variables_at(const void* to, const void* from);
/// As cudaDeviceReset does: this host thread's device has the first values again.
void reset_variables();

}  // namespace emulated
