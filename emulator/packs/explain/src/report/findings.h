// What is wrong with the program, or noteworthy: one list, which the detectors fill, and which one
// function orders.
//
// A new detector is a file in detectors/ with a function find_NAME(), declared here, and a line in
// the table in findings.cpp.
#pragma once

#include <string>
#include <vector>

namespace emulated::explain {

struct Finding {
  /// In the order of the report: the first is often the cause of those that follow.
  enum class Kind { failed_call, out_of_bounds, never_written, too_early, race, deadlock, unread };
  Kind kind = Kind::failed_call;
  bool is_note = false;  // it is so, but perhaps on purpose
  std::string text;      // "FILE:LINE: what is wrong"
};

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
