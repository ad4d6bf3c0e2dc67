// What a declaration declares: its parts between commas, and their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "source.h"

namespace translate {

/// Tokens [first, last).
struct Part {
  std::size_t first, last;
};

/// The parts of tokens [first, last) between commas that are in no brackets.
std::vector<Part> parts(const Tokens& tokens, std::size_t first, std::size_t last);

/// The name that a declarator declares, as it is written: the part holds at most one.
std::string declared_name(const Tokens& tokens, Part part);

/// alignas and its relatives.
bool is_alignment(std::string_view word);

/// Does the { open a type that is declared on the spot, as in struct { int
/// a; } or enum Name { a, b }?
bool begins_type(const Tokens& tokens, std::size_t brace);

}  // namespace translate
