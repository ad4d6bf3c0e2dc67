#include "shifts.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

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
          !(sign == ">" && closes_templates(i, first)) && !code_.is_triple(i, sign)) {
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
           code_.is(i, ")") || code_.is(i, "]") || code_.is(i, "++") || code_.is(i, "--");
  }

  // Texts are what goes to a stream.
  bool begins_operand(std::size_t i) const {
    const std::string_view sign = code_.text(i);
    return code_.is(i, Kind::word) || code_.is(i, Kind::number) || sign == "(" || sign == "+" ||
           sign == "-" || sign == "~" || sign == "!" || sign == "*" || sign == "&" || sign == "::" ||
           sign == "++" || sign == "--";
  }

  // A number less than 32 and nothing more: no type that is shifted is narrower.
  bool is_small(std::size_t i) const {
    if (!code_.is(i, Kind::number)) return false;
    const std::string_view next = code_.text(i + 1);
    if (next == "*" || next == "/" || next == "%" || next == "+" || next == "-") return false;
    return std::strtoul(std::string(code_.text(i)).c_str(), nullptr, 0) < 32;
  }

  // Do the two > from token i on close lists of template arguments, as in vector<pair<int, int>>? Then two < behind
  // words stand open before them, and between these nothing that such a list does not hold.
  bool closes_templates(std::size_t i, std::size_t first) const {
    int closed = 0, open = 0;
    for (std::size_t k = i; k-- > first;) {
      const std::string_view t = code_.text(k);
      if (t == ")" || t == "]" || t == "}") {
        k = code_.partner(k);
        if (k == none) return false;
      } else if (t == ">") {
        ++closed;
      } else if (t == "<") {
        if (closed > 0)
          --closed;
        else if (code_.is(k - 1, Kind::word) && ++open == 2)
          return true;
      } else if (t == ";" || t == "(" || t == "[" || t == "{" || t == "=" || t == "?" || t == "<<=" ||
                 t == ">>=") {
        return false;
      }
    }
    return false;
  }

  Source& source_;
  const Tokens& code_;
};

// A macro that writes to a stream is host code, whatever uses it.
bool has_text(const Tokens& line) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line.is(i, Kind::text) || line.is(i, "endl")) return true;
  return false;
}

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

void translate_shifts(Source& source, const Outline& outline) {
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
    if (has_parameters && !has_text(line) && !conditions.contains(line.text(1)))
      Shifts(source, line).translate(line.partner(2) + 1, line.size());
  }
}

}  // namespace translate
