// What is wrong with the program, or noteworthy: one list, which the detectors fill, and which one
// function orders.
//
// A new detector is a file in detectors/ with a function find_NAME(), declared here, and a line in
// the table in findings.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/places.h"

namespace emulated::explain {

struct KernelTotals;

/// A thread of a kernel. No kernel: nobody, or the host.
struct Agent {
  const KernelTotals* kernel = nullptr;
  std::uint64_t block = 0;
  unsigned thread = 0;
  bool operator==(const Agent&) const = default;
};
/// The present thread.
Agent present_agent();
/// "kernel sum: thread 3 of block 0"
std::string who(const Agent& agent);

struct Finding {
  /// In the order of the report: the first is often the cause of those that follow.
  enum class Kind {
    failed_call,
    out_of_bounds,
    misaligned,
    host_object,
    host_memory,
    never_written,
    too_early,
    race,
    deadlock,
    unread
  };
  Kind kind = Kind::failed_call;
  bool is_note = false;  // it is so, but perhaps on purpose
  Place place;
  Place other_place{};  // of the access or the work that it is in conflict with; mostly none
  Agent agent{};
  std::string does;       // "reads"
  std::string element{};  // "a[50]"
  std::string details{};  // ", beyond the 200 bytes of a"
  std::string advice{};   // "call cudaDeviceSynchronize() first"
};
/// "FILE:LINE: out of bounds: kernel k: thread 50 of block 0 reads a[50], beyond ...".
std::string text_of(const Finding& finding);
const char* name_on_page(const Finding& finding);  // of steps

/// Each adds what it has found; called once, when the program ends.
using Detector = void(std::vector<Finding>& all);
Detector find_beyond;
Detector find_followed;
Detector find_unwritten;
Detector find_too_early;
Detector find_in_vain;
Detector find_deep_calls;
Detector find_races;
Detector find_failed_calls;
Detector find_unread;
Detector find_unread_input;

/// All findings in the order of the report, notes last.
std::vector<Finding> all_findings();

}  // namespace emulated::explain
