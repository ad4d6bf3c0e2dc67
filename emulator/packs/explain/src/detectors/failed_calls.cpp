// Calls of the runtime that fail, where the program looks at the result. It may expect that, so
// they are notes. (About other calls that fail the device reports an error at once.)
#include "detectors/failed_calls.h"

#include <algorithm>
#include <string>
#include <vector>

#include "explain.h"
#include "record/objects.h"
#include "report/findings.h"

namespace emulated::explain {

namespace {

constexpr std::size_t max_failed = 100;

auto& failed_calls() {
  static auto& all = *new std::vector<Finding>;
  return all;
}

}  // namespace

void note_failed_call(const char* why) {
  const Place* const place = caller_line(callers());
  if (place == nullptr) return;
  const Lock lock;
  auto& all = failed_calls();
  const auto is_same = [&](const Finding& one) {
    return is_same_line(one.place, *place) && one.details == why;
  };
  if (all.size() < max_failed && std::none_of(all.begin(), all.end(), is_same))
    all.push_back({.kind = Finding::Kind::failed_call,
                   .is_note = true,
                   .place = *place,
                   .does = "a call fails: ",
                   .details = why});
}

bool has_failed_call() { return !failed_calls().empty(); }

void find_failed_calls(std::vector<Finding>& all) {
  all.insert(all.end(), failed_calls().begin(), failed_calls().end());
}

}  // namespace emulated::explain
