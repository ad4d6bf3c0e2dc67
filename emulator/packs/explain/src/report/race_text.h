// Races in words.
#pragma once

#include <string>
#include <vector>

#include "explain.h"

namespace emulated::explain {

/// "FILE:LINE: race: who does what, and what to do"
std::string race_text(const Race& race);
/// "out[17]", "tile", "global memory".
std::string variable_text(const Race& race);
/// Races whose lines are known: once per pair of lines, notes once per variable.
std::vector<Race> distinct_races();

}  // namespace emulated::explain
