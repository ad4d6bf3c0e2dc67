// Loops in which a thread waits for another one's write, and the device's clock.
#pragma once

#include <set>
#include <string_view>

#include "functions.h"
#include "source.h"

namespace translate {

using VolatileNames = std::set<std::string_view>;

/// The names that are declared volatile among the tokens [first, last).
VolatileNames volatile_names(const Tokens& code, std::size_t first, std::size_t last);

/// A waiting loop has to let other threads run. Atomic functions notice that themselves; a loop around a volatile
/// variable or a load such as __ldcv gets a call of ::emulated::waiting(): in its condition when that reads the
/// variable or the loop has no body, else (`while (true)`) at the beginning of its body.
void translate_waiting_loops(Source& source, const Outline& outline);

/// clock() in a kernel is the device's clock; on the host it is the C library's.
void translate_clock(Source& source, const Outline& outline, const Program& program);

}  // namespace translate
