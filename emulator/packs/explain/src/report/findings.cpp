#include "report/findings.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "explain.h"

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

// What the report says first about each kind, and the kind's name on the page of steps.
constexpr struct {
  const char *label, *on_page;
} names[] = {
    {"", "barrier"},  // its sentence says it
    {"out of bounds: ", "bounds"},
    {"misaligned: ", "bounds"},
    {"the host's object: ", ""},
    {"the host's memory: ", ""},
    {"never written: ", "unwritten"},
    {"too early: ", ""},
    {"race: ", "race"},
    {"", "deadlock"},
    {"", ""},  // only in notes
};
static_assert(std::size(names) == static_cast<std::size_t>(Finding::Kind::unread) + 1);

}  // namespace

Agent present_agent() { return {kernel, block->number, block->thread}; }

std::string who(const Agent& agent) {
  return "kernel " + agent.kernel->name + ": thread " + std::to_string(agent.thread) +
         " of block " + std::to_string(agent.block);
}

std::string text_of(const Finding& finding) {
  std::string text = place_text(finding.place) +
                     (finding.is_note ? "note: " : names[std::size_t(finding.kind)].label);
  if (finding.agent.kernel != nullptr) text += who(finding.agent) + " ";
  text += finding.does;
  if (!finding.element.empty()) text += " " + finding.element;
  text += finding.details;
  return finding.advice.empty() ? text : text + "; " + finding.advice;
}

const char* name_on_page(const Finding& finding) {
  return finding.is_note ? "note" : names[std::size_t(finding.kind)].on_page;
}

std::vector<Finding> all_findings() {
  std::vector<Finding> all;
  for (Detector* const detector : detectors) detector(all);
  std::set<std::string> said;
  std::erase_if(all, [&](const Finding& one) { return !said.insert(text_of(one)).second; });
  std::stable_sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.is_note, a.kind) < std::pair(b.is_note, b.kind);
  });
  return all;
}

}  // namespace emulated::explain
