// Shift operators of device code: by the width of the type or more they do what a GPU does (emulated/shift.h).

#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "passes.h"

namespace translate {

namespace {

class Shifts {
 public:
  Shifts(Source& source, const Tokens& code) : source_(source), code_(code) {}

  // All shifts among the tokens [first, last).
  void translate(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::string_view sign = code_.text(i);
      const bool assigns = sign == "<<=" || sign == ">>=";
      const bool doubled =
          (sign == "<" || sign == ">") && code_.is(i + 1, sign) && code_.touches_previous(i + 1);
      if (!assigns && !doubled) continue;
      const std::size_t right = assigns ? i + 1 : i + 2;
      if (ends_operand(i - 1) && begins_operand(right) && !is_small(right) &&
          !(sign == ">" && code_.template_begin(i + 1) != none) && !code_.is_triple(i, sign)) {
        std::string text = assigns ? "EMULATED_ASSIGN_" : "EMULATED_SHIFT_";
        text += sign[0] == '<' ? "LEFT" : "RIGHT";
        // Behind what closes there; a cast that opens there stays inside.
        source_.close(code_.end(right - 1), " " + text);
      }
      i = right - 1;
    }
  }

 private:
  bool ends_operand(std::size_t i) const {
    return (code_.is(i, Kind::word) && !code_.is(i, "operator")) || code_.is(i, Kind::number) ||
           code_.is_one_of(i, ") ] ++ --");
  }

  // Texts are what goes to a stream.
  bool begins_operand(std::size_t i) const {
    const std::string_view sign = code_.text(i);
    return code_.is(i, Kind::word) || code_.is(i, Kind::number) || one_of(sign, "( + - ~ ! * & :: ++ --");
  }

  // A number less than 32 and nothing more: no type that is shifted is narrower.
  bool is_small(std::size_t i) const {
    if (!code_.is(i, Kind::number)) return false;
    const std::string_view next = code_.text(i + 1);
    if (one_of(next, "* / % + -")) return false;
    return std::strtoul(std::string(code_.text(i)).c_str(), nullptr, 0) < 32;
  }

  Source& source_;
  const Tokens& code_;
};

// What #if and #elif name: there the preprocessor computes, which knows no functions.
std::set<std::string_view> names_in_conditions(const Source& source) {
  std::set<std::string_view> names;
  for (const Directive& directive : source.directives()) {
    const Tokens& line = directive.tokens;
    if (!line.is(0, "if") && !line.is(0, "elif")) continue;
    for (std::size_t i = 1; i < line.size(); ++i)
      if (line.is(i, Kind::word)) names.insert(line.text(i));
  }
  return names;
}

}  // namespace

void translate_shifts(Source& source, const Outline& outline, Program&) {
  const Tokens& code = source.code();
  Shifts shifts(source, code);
  for (const Function& function : outline.functions) {
    if (function.body == none) continue;
    const std::size_t end = code.partner(function.body);
    if (function.in_kernel() || (function.side & side_both) != 0) {
      shifts.translate(code.partner(function.parameters) + 1, end);
      continue;
    }
    for (std::size_t i = function.body; i < end; ++i) {  // lambdas for the device
      if (!code.is(i, "__device__")) continue;
      while (i < end && !code.is(i, "{") && !code.is(i, ";")) ++i;
      if (!code.is(i, "{") || code.partner(i) == none) continue;
      shifts.translate(i, code.partner(i));
      i = code.partner(i);
    }
  }
  const std::set<std::string_view> conditions = names_in_conditions(source);
  for (const Directive& directive : source.directives()) {
    const Tokens& line = directive.tokens;
    const bool has_parameters =
        line.is(0, "define") && line.is(2, "(") && line.touches_previous(2) && line.partner(2) != none;
    if (has_parameters && !conditions.contains(line.text(1)))
      Shifts(source, line).translate(line.partner(2) + 1, line.size());
  }
}

}  // namespace translate
