// When a finding may speak that follows from what did not happen.
#pragma once

namespace emulated::explain {

/// The program came to its end: nothing asked it to end, and no call failed.
bool ended_well();
/// Every access of every launch is recorded.
bool all_recorded();

}  // namespace emulated::explain
