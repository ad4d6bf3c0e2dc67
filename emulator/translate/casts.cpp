// Casts to integer types in device code saturate as a GPU's do (emulated/convert.h):
// static_cast<type>(x) and type(x) become ::emulated::to<type>(x), and (type)x becomes
// (type)(::emulated::Converted<type>)x. The types are the built-in integer types, their names by
// typedef, and template parameters. What is converted without a cast is not seen here: a number
// that does not fit is reported when the kernel runs (src/diagnosis/undefined.cpp).
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "passes.h"

namespace translate {

namespace {

using Words = std::set<std::string_view>;

// The token after the integer type that begins at token i, such as unsigned char or const
// std::size_t; none where none does.
std::size_t after_integer_type(const Tokens& tokens, std::size_t i) {
  while (tokens.is_one_of(i, "const volatile")) ++i;
  const std::size_t begin = i;
  const std::size_t alias = tokens.is(i, "std") && tokens.is(i + 1, "::") ? i + 2 : i;
  if (tokens.is_one_of(
          alias,
          "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t "
          "size_t ptrdiff_t uchar ushort uint ulong"))
    i = alias + 1;
  while (tokens.is_one_of(i, "char short int long signed unsigned")) ++i;
  if (i == begin || tokens.is_one_of(i, "double ::")) return none;
  while (tokens.is_one_of(i, "const volatile")) ++i;
  return i;
}

// Words after which an expression begins, such as return.
bool is_expression_keyword(std::string_view word) {
  return one_of(word, "return else case do throw and or not co_return");
}

// Could an operand of a cast begin here? `sign`: whether + - * & count.
bool begins_operand(const Tokens& tokens, std::size_t i, bool sign) {
  const std::string_view t = tokens.text(i);
  if (tokens.is(i, Kind::word))
    return !one_of(t, "const noexcept override final volatile requires");
  if (tokens.is(i, Kind::number) || tokens.is(i, Kind::text)) return true;
  if (one_of(t, "( ~ ! ::")) return true;
  return sign && one_of(t, "- + * & ++ --");
}

class Casts {
 public:
  Casts(Source& source, const Tokens& tokens, const Words& type_names, std::size_t body)
      : source_(source), tokens_(tokens), type_names_(type_names), body_(body) {}

  void translate(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (!named_cast(i) && !c_cast(i)) functional_cast(i);
  }

 private:
  // The type that is exactly the tokens [first, last); empty when it does not concern us.
  std::string type(std::size_t first, std::size_t last) const {
    const bool known = after_integer_type(tokens_, first) == last ||
                       (last == first + 1 && type_names_.contains(tokens_.text(first)));
    return std::string(known ? tokens_.between(first, last) : "");
  }

  bool named_cast(std::size_t i) {  // static_cast<type>(...)
    if (!tokens_.is(i, "static_cast") || !tokens_.is(i + 1, "<")) return false;
    std::size_t close = i + 2;
    while (tokens_.is(close, Kind::word) || tokens_.is(close, "::")) ++close;
    if (tokens_.is(close, ">") && !type(i + 2, close).empty())
      source_.replace(tokens_.begin(i), tokens_.end(i), "::emulated::to");
    return true;
  }

  bool c_cast(std::size_t i) {  // (type)operand
    const std::size_t close = tokens_.partner(i);
    if (!tokens_.is(i, "(") || close == none || close < i) return false;
    const std::string name = type(i + 1, close);
    if (name.empty()) return false;
    const std::string_view before = tokens_.text(i - 1);
    if (tokens_.is(i - 1, Kind::word) && !is_expression_keyword(before))
      return false;  // f(int), sizeof(int)
    if (before == "]" || before == "...") return false;
    if (before == ">" && tokens_.touches_previous(i)) return false;  // f<T>(int)
    if (!begins_operand(tokens_, close + 1, before != ">")) return false;
    source_.close(tokens_.end(close), "(::emulated::Converted<" + name + ">)");
    return true;
  }

  void functional_cast(std::size_t i) {  // type(operand)
    if (!tokens_.is(i, Kind::word)) return;
    std::size_t open = i + 1;
    if (tokens_.is(i, "std") && tokens_.is(i + 1, "::")) open = i + 3;
    if (!tokens_.is(open, "(") || tokens_.partner(open) == none) return;
    if (tokens_.is_one_of(i, "const volatile")) return;
    const std::string name = type(i, open);
    const std::size_t close = tokens_.partner(open);
    if (name.empty() || close == open + 1) return;
    const std::string_view before = tokens_.text(i - 1);
    if (!one_of(before, "( , = + - * / % ? : [ & | ^ ~ ! == != <= >= += -= *= /= && || {") &&
        !is_expression_keyword(before))
      return;
    if (before == "{" && !tokens_.is(i - 2, Kind::word)) return;  // int(x); declares
    if (i < body_ && (before == ":" || before == ",") && type_names_.contains(name))
      return;  // Functor(f) : F(f)
    // A type among the arguments: function<void(int(float))>.
    if (after_integer_type(tokens_, open + 1) == close || tokens_.is(close - 1, "*")) return;
    if (tokens_.is(open + 1, "*") && before == "(")
      return;  // a pointer to a function as a parameter
    if (type_names_.contains(name) && tokens_.find(open + 1, close, ",") < close)
      return;  // T(a, b)
    source_.replace(tokens_.begin(i), tokens_.end(open - 1), "::emulated::to<" + name + ">");
  }

  Source& source_;
  const Tokens& tokens_;
  const Words& type_names_;
  const std::size_t body_;
};

// A name after `class` or `typename` among template parameters, or of a `typedef int name;` or
// `using name = int;`, and the tokens [first, last] where it is a type.
struct TypeName {
  std::string_view name;
  std::size_t first, last;
};

std::vector<TypeName> names_of_types(const Tokens& code) {
  std::vector<TypeName> found;
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    if (code.is(i, "typedef")) {
      const std::size_t name = after_integer_type(code, i + 1);
      if (code.is(name, Kind::word) && code.is(name + 1, ";"))
        found.push_back({code.text(name), i, code.size()});
    }
    if (code.is(i, "using") && code.is(i + 2, "=") && code.is(after_integer_type(code, i + 3), ";"))
      found.push_back({code.text(i + 1), i, code.size()});
    if (!(code.is(i, "class") || code.is(i, "typename")) ||
        !(code.is(i - 1, "<") || code.is(i - 1, ",")) || !code.is(i + 1, Kind::word) ||
        !code.is_one_of(i + 2, "> , ="))
      continue;
    const std::size_t last = code.find(i, code.size(), "; {");
    found.push_back({code.text(i + 1), i, code.past_brackets(last)});
  }
  return found;
}

}  // namespace

void translate_casts(Source& source, const Outline& outline, Program&) {
  const Tokens& code = source.code();
  const std::vector<TypeName> types = names_of_types(code);
  Words all_names;
  for (const TypeName& type : types) all_names.insert(type.name);
  for (const DeviceCode& part : device_code(outline, code)) {
    if (part.function.only_constexpr()) continue;  // as the host has it
    Words type_names;  // those of the function, of classes around it and of lambdas within
    for (const TypeName& type : types)
      if (type.first < part.last && type.last > part.function.name_at) type_names.insert(type.name);
    Casts(source, code, type_names, part.body).translate(part.first, part.last);
  }
  for (const Macro& macro : source.macros())
    if (macro.has_parameters)
      Casts(source, macro.line, all_names, 0).translate(macro.body, macro.line.size());
}

}  // namespace translate
