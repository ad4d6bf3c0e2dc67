#include "declarators.h"

namespace translate {

bool is_alignment(std::string_view word) {
  return one_of(word, "__align__ alignas __builtin_align__ __attribute__");
}

bool begins_type(const Tokens& tokens, std::size_t brace) {
  static constexpr std::string_view keys = "struct union class enum";
  return one_of(tokens.text(brace - 1), keys) || one_of(tokens.text(brace - 2), keys);
}

std::vector<Part> parts(const Tokens& tokens, std::size_t first, std::size_t last) {
  std::vector<Part> found;
  int angles = 0;
  std::size_t begin = first;
  for (std::size_t i = first; i < last; ++i) {
    const std::string_view t = tokens.text(i);
    if (one_of(t, "( [ {") && tokens.partner(i) != none && tokens.partner(i) < last) {
      i = tokens.partner(i);
    } else if (t == "<" && i > first && tokens.is(i - 1, Kind::word)) {
      ++angles;
    } else if (t == ">" && angles > 0) {
      --angles;
    } else if (t == "," && angles == 0) {
      found.push_back({begin, i});
      begin = i + 1;
    }
  }
  if (begin < last) found.push_back({begin, last});
  return found;
}

std::string declared_name(const Tokens& tokens, Part part) {
  std::size_t name = none;
  int angles = 0;
  for (std::size_t i = part.first; i < part.last; ++i) {
    const std::string_view t = tokens.text(i);
    if (t == "<") ++angles;
    if (t == ">") --angles;
    if (angles > 0) continue;
    if (t == "=" || t == ":") break;
    if (tokens.is(i, Kind::word)) name = i;
    if (!one_of(t, "( [ {")) continue;
    const std::size_t close = tokens.partner(i);
    if (close == none || close >= part.last) break;
    std::size_t inner = i + 1;  // int (*name)(float), int (*name)[4], int (Type::*name)
    while (tokens.is(inner, Kind::word) && tokens.is(inner + 1, "::")) inner += 2;
    if (t == "(" && tokens.is(inner, "*")) {
      while (tokens.is_one_of(inner, "* const")) ++inner;
      return std::string(tokens.is(inner, Kind::word) ? tokens.text(inner) : "");
    }
    // alignas(16), decltype(x), or a macro that stands for an attribute: a word follows.
    bool of_type = is_alignment(tokens.text(i - 1)) || tokens.is(close + 1, Kind::word);
    if (t == "[") of_type = tokens.is(i + 1, "[");
    if (t == "{") of_type = begins_type(tokens, i);
    if (!of_type) break;  // the name precedes its size or its first value
    i = close;
    name = none;
  }
  if (name == none) return "";
  std::size_t begin = name;  // Type::name
  while (begin >= part.first + 2 && tokens.is(begin - 1, "::") && tokens.is(begin - 2, Kind::word))
    begin -= 2;
  return std::string(tokens.between(begin, name + 1));
}

}  // namespace translate
