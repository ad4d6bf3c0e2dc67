// The parts of a loop that counts upwards: for (int i = start; i < bound; i += step) body, or the same with while.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "plain_code.h"

namespace translate {

/// The parts of a loop, as tokens [first, last).
struct Loop {
  std::size_t first, last;
  std::string index, index_type;                // index_type: empty where the loop does not declare the index
  std::size_t start = none, start_last = none;  // none: the index has its value from before
  std::size_t bound, bound_last;                // the condition
  std::size_t step, step_last;                  // what is added
  std::size_t body, body_last;
  bool can_continue;
};

/// The parts of the statement [first, last); none: it is no such loop.
std::optional<Loop> loop_parts(const Tokens& code, std::size_t first, std::size_t last);

/// A sign that compares, or that binds less than a comparison: <, <=, ==, ?, the comma, ...
bool is_comparison(std::string_view sign);

}  // namespace translate
