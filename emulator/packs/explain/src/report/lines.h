// Text on standard error.
#pragma once

#include <cstddef>
#include <string>

namespace emulated::explain {

/// Prints the text and ends the line. On a terminal it breaks between words where the terminal
/// ends, and goes on `indent` columns from the left; elsewhere a line stays whole, for programs.
void print_line(const std::string& text, std::size_t indent);

}  // namespace emulated::explain
