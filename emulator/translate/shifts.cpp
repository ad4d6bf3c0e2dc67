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
  Shifts shifts(source, source.code());
  for (const DeviceCode& part : device_code(outline, source.code())) shifts.translate(part.first, part.last);
  const std::set<std::string_view> conditions = names_in_conditions(source);
  for (const Macro& macro : source.macros())
    if (macro.has_parameters && !conditions.contains(macro.name))
      Shifts(source, macro.line).translate(macro.body, macro.line.size());
}

}  // namespace translate
