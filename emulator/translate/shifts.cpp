// Shift operators of device code: by the width of the type or more they do what a GPU does (emulated/shift.h).

#include <algorithm>
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

  // All shifts among the tokens [first, last). returns_objects: what is returned there is a reference, so no number.
  void translate(std::size_t first, std::size_t last, bool returns_objects = false) {
    for (std::size_t i = first; i < last; ++i) {
      const std::string_view sign = code_.text(i);
      const bool assigns = sign == "<<=" || sign == ">>=";
      const bool doubled =
          (sign == "<" || sign == ">") && code_.is(i + 1, sign) && code_.touches_previous(i + 1);
      if (!assigns && !doubled) continue;
      if (doubled && is_of_object(i, first, returns_objects)) {
        i = behind_chain(i, last, returns_objects) - 1;
        continue;
      }
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
           code_.is_one_of(i, ") ] ++ --");
  }

  // Texts are what goes to a stream.
  bool begins_operand(std::size_t i) const {
    const std::string_view sign = code_.text(i);
    return code_.is(i, Kind::word) || code_.is(i, Kind::number) || one_of(sign, "( + - ~ ! * & :: ++ --");
  }

  // Does the shift at token i take from, or give to, an object such as a stream? Surely so where the value is unused,
  // as in `out << x;`, and where `return out << x;` returns a reference. Such shifts stay as they are: the object's
  // operator may be a template that would take what we write behind it for its argument.
  bool is_of_object(std::size_t i, std::size_t first, bool returns_objects) const {
    std::size_t begin = i;
    while (begin > first) {  // names, members, subscripts and calls, from the right to the left
      std::size_t k = begin - 1;
      if (begin < i && (!ends_operand(k) || is_statement_word(k))) break;  // ::name
      while (k > first && k != none && (code_.is(k, ")") || code_.is(k, "]"))) {
        k = code_.partner(k);
        if (k == none || k <= first) return false;
        if (!code_.is(k - 1, Kind::word) && !code_.is(k - 1, ")") && !code_.is(k - 1, "]"))
          break;  // (a) << b
        if (is_statement_word(k - 1)) break;
        --k;
      }
      begin = k;
      if (!code_.is_one_of(k - 1, ". -> ::")) break;
      --begin;
    }
    if (begin <= first || begin == i || is_statement_word(begin)) return false;
    while (begin > first && code_.is(begin - 1, "*")) --begin;
    const std::size_t before = begin - 1;
    if (code_.is(before, "return")) return returns_objects;
    const bool behind_head = code_.is(before, ")") && code_.partner(before) != none &&
                             is_statement_word(code_.partner(before) - 1);
    const bool discarded = code_.is_one_of(before, "; { } else do") || behind_head;
    return discarded && !is_last_of_expression(i);
  }

  bool is_statement_word(std::size_t i) const {
    return code_.is_one_of(i, "if for while switch return else do");
  }

  // The last statement of ({ ... }) is its value.
  bool is_last_of_expression(std::size_t i) const {
    while (i < code_.size() && !code_.is(i, ";") && !code_.is(i, "}")) {
      const bool opens = code_.is_one_of(i, "( [ {");
      i = opens && code_.partner(i) != none ? code_.partner(i) + 1 : i + 1;
    }
    if (code_.is(i, ";")) ++i;
    return code_.is(i, "}") && code_.is(i + 1, ")");
  }

  // The token behind all of out << a << (b << c); what is in its brackets is translated.
  std::size_t behind_chain(std::size_t i, std::size_t last, bool returns_objects) {
    for (; i < last; ++i) {
      static const std::set<std::string_view> ends = {";", ",", "?", ":", "=", "&&", "||"};
      if (ends.contains(code_.text(i)) || code_.text(i).ends_with('=')) break;
      if (!code_.is_one_of(i, "( [ {")) continue;
      const std::size_t partner = code_.partner(i);
      if (partner == none) break;
      translate(i, partner, returns_objects);
      i = partner;
    }
    return i;
  }

  // A number less than 32 and nothing more: no type that is shifted is narrower.
  bool is_small(std::size_t i) const {
    if (!code_.is(i, Kind::number)) return false;
    const std::string_view next = code_.text(i + 1);
    if (one_of(next, "* / % + -")) return false;
    return std::strtoul(std::string(code_.text(i)).c_str(), nullptr, 0) < 32;
  }

  // Do the two > from token i on close lists of template arguments, as in vector<pair<int, int>>? Then two < behind
  // words stand open before them, and between these nothing that such a list does not hold.
  bool closes_templates(std::size_t i, std::size_t first) const {
    int closed = 0, open = 0;
    for (std::size_t k = i; k-- > first;) {
      const std::string_view t = code_.text(k);
      if (one_of(t, ") ] }")) {
        k = code_.partner(k);
        if (k == none) return false;
      } else if (t == ">") {
        ++closed;
      } else if (t == "<") {
        if (closed > 0)
          --closed;
        else if (code_.is(k - 1, Kind::word) && ++open == 2)
          return true;
      } else if (one_of(t, "; ( [ { = ? <<= >>=")) {
        return false;
      }
    }
    return false;
  }

  Source& source_;
  const Tokens& code_;
};

// Is what the function returns always a reference? Not said of functions with lambdas, which return what they like.
bool returns_reference(const Tokens& code, const Function& function) {
  std::size_t name = function.parameters;
  while (name > function.head && !code.is(name, "operator")) --name;
  if (!code.is(name, "operator")) name = function.name_at;
  while (name > function.head + 1 && code.is(name - 1, "::")) name -= 2;
  if (name == function.head || !code.is(name - 1, "&")) return false;
  for (std::size_t i = function.body + 1; i < code.partner(function.body); ++i)
    if (code.is(i, "[") && !code.is(i - 1, Kind::word) && !code.is(i - 1, ")") && !code.is(i - 1, "]"))
      return false;
  return true;
}

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

void translate_shifts(Source& source, const Outline& outline, Program&) {
  const Tokens& code = source.code();
  Shifts shifts(source, code);
  for (const Function& function : outline.functions) {
    if (function.body == none) continue;
    const std::size_t end = code.partner(function.body);
    if (function.in_kernel() || (function.side & side_both) != 0) {
      shifts.translate(code.partner(function.parameters) + 1, end, returns_reference(code, function));
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
