#include "casts.h"

#include <string>
#include <string_view>

namespace translate {

namespace {

class Casts {
 public:
  Casts(Source& source, const Tokens& tokens, const Words& type_names, std::size_t body)
      : source_(source), tokens_(tokens), type_names_(type_names), body_(body) {}

  void translate(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (!named_cast(i) && !c_cast(i)) functional_cast(i);
  }

 private:
  // The type that is exactly the tokens [first, last); empty when it is none that concerns us.
  std::string type(std::size_t first, std::size_t last) const {
    const IntegerType found = integer_type(tokens_, first);
    if (found && found.end == last) return found.name;
    if (last == first + 1 && type_names_.contains(tokens_.text(first)))
      return std::string(tokens_.text(first));
    return "";
  }

  bool named_cast(std::size_t i) {  // static_cast<type>(...)
    if (!tokens_.is(i, "static_cast") || !tokens_.is(i + 1, "<")) return false;
    std::size_t close = i + 2;
    while (tokens_.is(close, Kind::word) || tokens_.is(close, "::")) ++close;
    if (tokens_.is(close, ">") && !type(i + 2, close).empty())
      source_.replace(tokens_.begin(i), tokens_.end(i), "::emulated::to");
    return true;
  }

  // Does the ) end another cast, as in (float)(int)x?
  bool is_cast(std::size_t close) const {
    const std::size_t open = tokens_.partner(close);
    if (open == none || (tokens_.is(open - 1, Kind::word) && !is_expression_keyword(tokens_.text(open - 1))))
      return false;
    return !type(open + 1, close).empty() ||
           (close == open + 2 && (tokens_.is(open + 1, "float") || tokens_.is(open + 1, "double") ||
                                  tokens_.is(open + 1, "bool") || tokens_.is(open + 1, "void")));
  }

  bool c_cast(std::size_t i) {  // (type)operand
    const std::size_t close = tokens_.partner(i);
    if (!tokens_.is(i, "(") || close == none || close < i) return false;
    const std::string name = type(i + 1, close);
    if (name.empty()) return false;
    const std::string_view before = tokens_.text(i - 1);
    if (tokens_.is(i - 1, Kind::word) && !is_expression_keyword(before)) return false;  // f(int), sizeof(int)
    if (before == ")" && !is_cast(i - 1)) return false;
    if (before == "]" || before == "...") return false;
    if (before == ">" && tokens_.touches_previous(i)) return false;  // f<T>(int)
    if (!begins_operand(tokens_, close + 1, before != ">")) return false;
    const std::size_t end = operand_end(tokens_, close + 1, type_names_);
    if (end == none) return false;
    source_.replace(tokens_.begin(i), tokens_.end(close), "::emulated::to<" + name + ">(");
    source_.close(tokens_.end(end), ")");
    return true;
  }

  void functional_cast(std::size_t i) {  // type(operand)
    if (!tokens_.is(i, Kind::word)) return;
    std::size_t open = i + 1;
    if (tokens_.is(i, "std") && tokens_.is(i + 1, "::")) open = i + 3;
    if (!tokens_.is(open, "(") || tokens_.partner(open) == none) return;
    if (tokens_.is(i, "const") || tokens_.is(i, "volatile")) return;
    const std::string name = type(i, open);
    const std::size_t close = tokens_.partner(open);
    if (name.empty() || close == open + 1) return;
    static const Words operators = {
        "(", ",", "=",  "+",  "-",  "*",  "/",  "%",  "?",  ":",  "[",  "&",  "|", "^",
        "~", "!", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "&&", "||", "{"};
    const std::string_view before = tokens_.text(i - 1);
    if (!operators.contains(before) && !is_expression_keyword(before)) return;
    if (before == "{" && !tokens_.is(i - 2, Kind::word)) return;  // int(x); declares
    if (i < body_ && (before == ":" || before == ",") && type_names_.contains(name))
      return;  // Functor(f) : F(f)
    // A type among the arguments: function<void(int(float))>.
    if (integer_type(tokens_, open + 1).end == close || tokens_.is(close - 1, "*")) return;
    if (tokens_.is(open + 1, "*") && before == "(") return;  // a pointer to a function as a parameter
    for (std::size_t k = open + 1; k < close; ++k) {
      if (tokens_.is(k, ",")) return;
      if (tokens_.is(k, "(") || tokens_.is(k, "[") || tokens_.is(k, "{")) {
        k = tokens_.partner(k);
        if (k == none) return;
      } else if (tokens_.is(k, "<") && tokens_.template_end(k) != none) {
        k = tokens_.template_end(k);
      }
    }
    source_.replace(tokens_.begin(i), tokens_.end(open - 1), "::emulated::to<" + name + ">");
  }

  Source& source_;
  const Tokens& tokens_;
  const Words& type_names_;
  const std::size_t body_;
};

}  // namespace

void translate_casts(Source& source, const Tokens& tokens, const Words& type_names, std::size_t first,
                     std::size_t body, std::size_t last) {
  Casts(source, tokens, type_names, body).translate(first, last);
}

}  // namespace translate
