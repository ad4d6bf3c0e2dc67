// What the program has given to the device and not waited for. A GPU may not have done it yet; here
// it is done, and all looks right. One wait counts for all that was given before it, whatever the
// stream: what is said must be true.
#pragma once

#include <cstdint>

#include "emulated/errors.h"
#include "emulated/scheduler.h"

namespace emulated {

/// Work is given to the device.
void note_work();
/// A kernel has run, which has printed or not.
void note_kernel(const Launch& launch, bool printed);
/// How much work has been given so far, and has all of that been waited for?
std::uint64_t given_work();
bool waited_for(std::uint64_t work);
/// A call has waited for this event. Returns the call's result.
cudaError_t waits_for_event(cudaEvent_t event, cudaError_t result);

}  // namespace emulated
