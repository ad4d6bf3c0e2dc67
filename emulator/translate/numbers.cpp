#include "numbers.h"

#include <string>

namespace translate {

IntegerType integer_type(const Tokens& tokens, std::size_t i) {
  static const Words parts = {"char", "short", "int", "long", "signed", "unsigned"};
  static const Words aliases = {"int8_t",   "int16_t",  "int32_t",  "int64_t",   "uint8_t", "uint16_t",
                                "uint32_t", "uint64_t", "intptr_t", "uintptr_t", "size_t",  "ptrdiff_t",
                                "uchar",    "ushort",   "uint",     "ulong"};
  IntegerType type;
  bool alias = false;
  for (;; ++i) {
    const std::string_view word = tokens.text(i);
    if (word == "const" || word == "volatile") continue;
    const bool qualified = word == "std" && tokens.is(i + 1, "::") && aliases.contains(tokens.text(i + 2));
    if (!alias && type.name.empty() && (qualified || aliases.contains(word))) {
      type.name = qualified ? "std::" + std::string(tokens.text(i + 2)) : std::string(word);
      if (qualified) i += 2;
      alias = true;
    } else if (!alias && parts.contains(word)) {
      type.name += (type.name.empty() ? "" : " ") + std::string(word);
    } else {
      break;
    }
  }
  if (!type.name.empty() && !tokens.is(i, "double") && !tokens.is(i, "::")) type.end = i;
  return type;
}

bool is_expression_keyword(std::string_view word) {
  static const Words words = {"return", "else", "case", "do", "throw", "and", "or", "not", "co_return"};
  return words.contains(word);
}

bool begins_operand(const Tokens& tokens, std::size_t i, bool sign) {
  static const Words never = {"const", "noexcept", "override", "final", "volatile", "requires"};
  const std::string_view t = tokens.text(i);
  if (tokens.is(i, Kind::word)) return !never.contains(t);
  if (tokens.is(i, Kind::number) || tokens.is(i, Kind::text)) return true;
  if (t == "(" || t == "~" || t == "!" || t == "::") return true;
  return sign && (t == "-" || t == "+" || t == "*" || t == "&" || t == "++" || t == "--");
}

std::size_t operand_end(const Tokens& tokens, std::size_t i, const Words& type_names) {
  static const Words unary = {"+", "-", "!", "~", "*", "&", "++", "--", "::"};
  for (;;) {
    if (unary.contains(tokens.text(i))) {
      ++i;
    } else if (tokens.is(i, "(")) {
      const std::size_t close = tokens.partner(i);
      if (close == none) return none;
      const bool is_type = integer_type(tokens, i + 1).end == close || tokens.is(close - 1, "*") ||
                           (close == i + 2 && (tokens.is(i + 1, "float") || tokens.is(i + 1, "double") ||
                                               type_names.contains(tokens.text(i + 1))));
      if (begins_operand(tokens, close + 1, is_type) && (is_type || !tokens.is(close + 1, "("))) {
        i = close + 1;  // another cast
        continue;
      }
      i = close;
      break;
    } else if (tokens.is(i, Kind::word)) {
      const std::string_view word = tokens.text(i);
      if (word == "new" || word == "delete" || word == "throw") return none;
      if (word == "sizeof" && tokens.is(i + 1, "...")) ++i;
      for (;;) {
        const std::size_t end = tokens.is(i + 1, "<") ? tokens.template_end(i + 1) : none;
        if (end != none) i = end;
        if (!tokens.is(i + 1, "::")) break;
        i += 2;
      }
      break;
    } else if (tokens.is(i, Kind::number) || tokens.is(i, Kind::text)) {
      break;
    } else {
      return none;
    }
  }
  for (;;) {
    if (tokens.is(i + 1, "(") || tokens.is(i + 1, "[")) {
      i = tokens.partner(i + 1);
      if (i == none) return none;
    } else if ((tokens.is(i + 1, ".") || tokens.is(i + 1, "->")) && tokens.is(i + 2, Kind::word)) {
      i += 2;
      const std::size_t end = tokens.is(i + 1, "<") ? tokens.template_end(i + 1) : none;
      if (end != none) i = end;
    } else if (tokens.is(i + 1, "++") || tokens.is(i + 1, "--")) {
      ++i;
    } else {
      return i;
    }
  }
}

}  // namespace translate
