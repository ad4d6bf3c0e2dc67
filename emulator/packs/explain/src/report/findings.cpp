#include "report/findings.h"

#include <algorithm>
#include <utility>

namespace emulated::explain {

namespace {

constexpr Detector* detectors[] = {
    find_failed_calls,  // calls of the runtime
    find_beyond,        // memory that is not allocated, or not aligned; host objects
    find_followed,      // pointers to host memory
    find_unwritten,     // memory that nobody wrote
    find_too_early,     // work and the host, which do not wait
    find_in_vain,       // fetches and shuffles that get nothing
    find_deep_calls,    // more stack than a thread has
    find_races,         // accesses that nothing orders
    find_unread,        // results that are never read
    find_unread_input,  // copies of which a part is never read
};

}  // namespace

std::vector<Finding> all_findings() {
  std::vector<Finding> all;
  for (Detector* const detector : detectors) detector(all);
  std::stable_sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.is_note, a.kind) < std::pair(b.is_note, b.kind);
  });
  return all;
}

}  // namespace emulated::explain
