// Races in words.
#pragma once

#include <string>
#include <vector>

#include "explain.h"
#include "report/findings.h"

namespace emulated::explain {

/// Who does what, and what to do.
Finding finding_of(const Race& race);
/// Races whose lines are known: once per pair of lines, notes once per variable.
std::vector<Race> distinct_races();

}  // namespace emulated::explain
