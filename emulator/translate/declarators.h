// What a declaration declares: its parts between commas, and their names.
#pragma once

#include <string>
#include <vector>

#include "functions.h"

namespace translate {

/// Tokens [first, last).
struct Part {
  std::size_t first, last;
};

/// The parts of tokens [first, last) between commas that are in no brackets.
std::vector<Part> parts(const Tokens& tokens, std::size_t first, std::size_t last);

/// The name that a declarator declares, as it is written: the part holds at most one.
std::string declared_name(const Tokens& tokens, Part part);

}  // namespace translate
