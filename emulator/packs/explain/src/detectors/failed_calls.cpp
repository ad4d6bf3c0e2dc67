// Calls of the runtime that fail, where the program looks at the result. It may expect that, so
// they are notes. (About other calls that fail the device reports an error at once.)
#include "detectors/failed_calls.h"

#include <algorithm>
#include <string>
#include <vector>

#include "explain.h"
#include "record/objects.h"

namespace emulated::explain {

namespace {

constexpr std::size_t max_failed = 100;

// As they are reported.
auto& failed_calls() {
  static auto& all = *new std::vector<std::string>;
  return all;
}

}  // namespace

void note_failed_call(const char* why) {
  const Place* const place = caller_line(callers());
  if (place == nullptr) return;
  const std::string text = place_text(*place) + "note: a call fails: " + why;
  const Lock lock;
  auto& all = failed_calls();
  if (all.size() < max_failed && std::find(all.begin(), all.end(), text) == all.end())
    all.push_back(text);
}

bool has_failed_call() { return !failed_calls().empty(); }

void find_failed_calls(std::vector<Finding>& all) {
  for (const std::string& text : failed_calls())
    all.push_back({Finding::Kind::failed_call, true, text});
}

}  // namespace emulated::explain
