// Shift operators of device code: by the width of the type or more they do what
// a GPU does (emulated/shift.h).

#include <cstdlib>
#include <string>
#include <string_view>

#include "passes.h"

namespace translate {

namespace {

bool ends_operand(const Tokens& tokens, std::size_t i) {
  return (tokens.is(i, Kind::word) && !tokens.is(i, "operator")) || tokens.is(i, Kind::number) ||
         tokens.is_one_of(i, ") ] ++ --");
}

// Texts are what goes to a stream.
bool begins_operand(const Tokens& tokens, std::size_t i) {
  return tokens.is(i, Kind::word) || tokens.is(i, Kind::number) ||
         tokens.is_one_of(i, "( + - ~ ! * & :: ++ --");
}

// A number less than 32 and nothing more: no type that is shifted is narrower.
bool is_small(const Tokens& tokens, std::size_t i) {
  return tokens.is(i, Kind::number) && !tokens.is_one_of(i + 1, "* / % + -") &&
         std::strtoul(std::string(tokens.text(i)).c_str(), nullptr, 0) < 32;
}

// All shifts among the tokens [first, last).
void translate_shifts(Source& source, const Tokens& tokens, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    const std::string_view sign = tokens.text(i);
    const bool assigns = sign == "<<=" || sign == ">>=";
    const bool doubled =
        (sign == "<" || sign == ">") && tokens.is(i + 1, sign) && tokens.touches_previous(i + 1);
    if (!assigns && !doubled) continue;
    const std::size_t right = assigns ? i + 1 : i + 2;
    if (ends_operand(tokens, i - 1) && begins_operand(tokens, right) && !is_small(tokens, right) &&
        !(sign == ">" && tokens.template_begin(i + 1) != none) && !tokens.is_triple(i, sign)) {
      // After what closes there; a cast that opens there stays inside.
      source.close(tokens.end(right - 1),
                   joined({assigns ? " EMULATED_ASSIGN_" : " EMULATED_SHIFT_",
                           sign[0] == '<' ? "LEFT" : "RIGHT"}));
    }
    i = right - 1;
  }
}

}  // namespace

void translate_shifts(Source& source, const Outline& outline, Program&) {
  for (const DeviceCode& part : device_code(outline, source.code()))
    translate_shifts(source, source.code(), part.first, part.last);
  for (const Macro& macro : source.macros())
    if (macro.has_parameters) translate_shifts(source, macro.line, macro.body, macro.line.size());
}

}  // namespace translate
