#include "conversions.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "casts.h"
#include "numbers.h"

namespace translate {

namespace {

// ---- implicit conversions, where the type stands in the function ----

// A variable of the function: its type, and after how many subscripts and stars a number is left. Its name means it
// among the tokens [first, last], where no later variable has that name.
struct Variable {
  std::string type;  // empty: no integer
  int depth = 0;
  std::size_t first = 0, last = 0;
};

class Implicit {
 public:
  Implicit(Source& source, const Tokens& code, const Function& function)
      : source_(source), code_(code), function_(function), end_(code.partner(function.body)) {}

  void translate() {
    find_functions_within();
    find_variables();
    for (const auto& [first, last, type] : initializers_) convert(first, last, type);
    returns();
    assignments();
    vectors();
  }

 private:
  struct Initializer {
    std::size_t first, last;
    std::string type;
  };

  // Bodies of lambdas and local classes, in which `return` belongs to somebody else: tokens [begin, end].
  void find_functions_within() {
    for (std::size_t i = function_.body; i < end_; ++i) {
      if (code_.is(i, "struct") || code_.is(i, "class") || code_.is(i, "union")) {
        static const Words ends = {"{", "(", ")", ";", "=", ">"};
        std::size_t at = i;
        while (at < end_ && !ends.contains(code_.text(at))) ++at;
        if (code_.is(at, "{") && code_.partner(at) != none) within_.push_back({at, code_.partner(at)});
      }
      if (!code_.is(i, "[") || code_.partner(i) == none) continue;
      const bool subscript = (code_.is(i - 1, Kind::word) && !code_.is(i - 1, "return")) ||
                             code_.is(i - 1, ")") || code_.is(i - 1, "]");
      if (subscript) continue;
      std::size_t at = code_.partner(i) + 1;
      while (at < end_ && !code_.is(at, "{") && !code_.is(at, ";") && !code_.is(at, ",")) {
        if (code_.is(at, "(") && code_.partner(at) != none) at = code_.partner(at);
        ++at;
      }
      if (code_.is(at, "{") && code_.partner(at) != none) within_.push_back({at, code_.partner(at)});
    }
  }

  bool in_function_within(std::size_t i) const {
    return std::any_of(within_.begin(), within_.end(),
                       [i](const auto& range) { return range.first < i && i < range.second; });
  }

  void find_variables() {
    std::vector<std::size_t> around;  // the brackets around token i
    for (std::size_t i = function_.parameters; i < end_; ++i) {
      const std::string_view t = code_.text(i);
      if ((t == ")" || t == "]" || t == "}") && !around.empty()) around.pop_back();
      if (t == "(" || t == "[" || t == "{") around.push_back(i);
      scope_end_ = around.empty() ? end_ : scope_end(around.back());
      if (t == "auto" && code_.is(i + 1, "[") && code_.partner(i + 1) != none) {
        for (std::size_t k = i + 2; k < code_.partner(i + 1); ++k)
          if (code_.is(k, Kind::word)) declare(k, "", 0);
      }
      if (t == "(" || t == "{" || t == "}" || t == ";" || t == "," || t == ")" || t == "else")
        declaration(i + 1, t != "," && t != "(");
    }
  }

  // Where the scope of a variable ends that is declared between this bracket and its partner.
  std::size_t scope_end(std::size_t open) const {
    std::size_t at = code_.partner(open);
    if (open == function_.parameters) return end_;
    if (at == none || code_.is(open, "{")) return std::min(at, end_);
    for (++at; at < end_; ++at) {  // for (int i = 0;;) statement, [](int i) { body }
      if (code_.is(at, ";") || code_.is(at, ")") || code_.is(at, "]") || code_.is(at, "}")) return at;
      const bool body = code_.is(at, "{");
      if ((body || code_.is(at, "(") || code_.is(at, "[")) && code_.partner(at) != none)
        at = code_.partner(at);
      if (body && !code_.is(at + 1, "else")) return at;
    }
    return end_;
  }

  void declare(std::size_t name, const std::string& type, int depth) {
    variables_[std::string(code_.text(name))].push_back({type, depth, name, scope_end_});
  }

  // The variable that the word at token i names; null when none of this function is known by it.
  const Variable* variable(std::size_t i) const {
    const auto found = variables_.find(code_.text(i));
    if (found == variables_.end()) return nullptr;
    for (auto v = found->second.rbegin(); v != found->second.rend(); ++v)
      if (v->first <= i && i <= v->last) return &*v;
    return nullptr;
  }

  // Is there a declaration at token i? Notes its variables and initializers.
  void declaration(std::size_t i, bool statement) {
    static const Words specifiers = {"static",    "const",  "volatile",     "__shared__", "register",
                                     "constexpr", "extern", "__restrict__", "__restrict", "mutable"};
    static const Words no_types = {"return", "else",  "goto", "new",    "delete", "throw", "case",    "using",
                                   "sizeof", "while", "if",   "switch", "do",     "break", "continue"};
    bool fixed = false;  // by the compiler
    bool shared = false;
    for (; specifiers.contains(code_.text(i)); ++i) {
      fixed |= code_.is(i, "constexpr") || code_.is(i, "static");
      shared |= code_.is(i, "__shared__");
    }
    IntegerType type = integer_type(code_, i);
    if (type) {
      i = type.end;
    } else {
      type.name = vector_element(code_.text(i));
      if (!code_.is(i, Kind::word) || no_types.contains(code_.text(i))) return;
      for (;;) {
        ++i;
        if (code_.is(i, "<")) i = behind_angles(i);
        if (!code_.is(i, "::") || !code_.is(i + 1, Kind::word)) break;
        ++i;
      }
    }
    // Declarators.
    for (bool first = true;; first = false) {
      int depth = 0;
      bool reference = false;
      for (; code_.is(i, "*") || code_.is(i, "&") || code_.is(i, "&&") || specifiers.contains(code_.text(i));
           ++i) {
        depth += code_.is(i, "*") ? 1 : 0;
        reference |= code_.is(i, "&");
      }
      const std::size_t name = i;
      const std::string_view after = code_.text(i + 1);
      const bool declarator =
          code_.is(i, Kind::word) && (after == "=" || after == ";" || after == "," || after == ")" ||
                                      after == "[" || after == "(" || after == "{" || after == ":");
      if (!declarator) return;
      for (++i; code_.is(i, "[") && code_.partner(i) != none; i = code_.partner(i) + 1) ++depth;
      declare(name, type.name, depth);
      const std::size_t begin = i + 1;
      const bool has_value = code_.is(i, "=");
      while (i < end_ && !code_.is(i, ",") && !code_.is(i, ";") && !code_.is(i, ")") && !code_.is(i, ":")) {
        if (code_.is(i, "?")) {  // the : of x ? y : z
          int open = 1;
          for (++i; i < end_ && open > 0 && !code_.is(i, ";"); ++i) {
            if (code_.is(i, "?")) ++open;
            if (code_.is(i, ":")) --open;
            i = code_.past_brackets(i);
          }
          continue;
        }
        if (code_.is(i, "<")) {
          const std::size_t close = code_.template_end(i);
          if (close != none) i = close;
        } else if (code_.is(i, "(") || code_.is(i, "[") || code_.is(i, "{")) {
          if (code_.partner(i) == none || code_.partner(i) < i) return;
          i = code_.partner(i);
        }
        ++i;
      }
      if (has_value && type && depth == 0 && !reference && !fixed && !shared && begin > function_.body &&
          !code_.is(begin, "{") && (code_.is(i, ";") || code_.is(i, ",")))
        initializers_.push_back({begin, i, type.name});
      if (!code_.is(i, ",") || (!statement && first && !in_for(name))) return;
      ++i;
    }
  }

  // Does the declaration of this name begin a for statement? Only there a comma in parentheses goes on with it.
  bool in_for(std::size_t name) const {
    for (std::size_t i = name; i-- > function_.body && name - i < 20;)
      if (code_.is(i, "(")) return code_.is(i - 1, "for");
    return false;
  }

  std::size_t behind_angles(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < end_ && i < open + 200; ++i) {
      if (code_.is(i, "<")) ++depth;
      if (code_.is(i, ">") && --depth == 0) return i + 1;
      if (code_.is(i, ";") || code_.is(i, "{")) return none - 1;
      if (code_.is(i, "(")) {
        if (code_.partner(i) == none) return none - 1;
        i = code_.partner(i);
      }
    }
    return none - 1;
  }

  // Nothing in [first, last) that could be a floating-point number.
  bool obviously_integer(std::size_t first, std::size_t last) const {
    static const Words indices = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    static const Words harmless = {"warpSize", "min", "max", "sizeof", "true", "false", "std", "static_cast"};
    for (std::size_t i = first; i < last; ++i) {
      if (code_.is(i, Kind::number) && is_float(code_.text(i))) return false;
      if (!code_.is(i, Kind::word)) continue;
      if (code_.is(i - 1, ".") && i >= 2 && indices.contains(code_.text(i - 2))) continue;
      if (code_.is(i - 1, ".") || code_.is(i - 1, "->")) return false;
      const std::string_view word = code_.text(i);
      if (harmless.contains(word) || indices.contains(word) || returns_integer(word)) continue;
      if (integer_type(code_, i)) continue;
      const Variable* const known = variable(i);
      if (known == nullptr || known->type.empty() || known->type.starts_with('.')) return false;
    }
    return true;
  }

  void convert(std::size_t first, std::size_t last, const std::string& type) {
    if (first >= last || obviously_integer(first, last)) return;
    // A cast stands there already: once is enough.
    const std::size_t angle = code_.is(first, "static_cast") ? code_.template_end(first + 1) : none;
    if (angle != none && integer_type(code_, first + 2).end == angle && code_.partner(angle + 1) == last - 1)
      return;
    const std::size_t close = code_.is(first, "(") ? code_.partner(first) : none;
    if (close != none && integer_type(code_, first + 1).end == close &&
        operand_end(code_, close + 1, {}) == last - 1)
      return;
    if (comma(first, last) != last) return;
    source_.open(code_.begin(first), "::emulated::to<" + type + ">(");
    source_.close(code_.end(last - 1), ")");
  }

  // The first comma outside of brackets in [first, last), or `last`.
  std::size_t comma(std::size_t first, std::size_t last) const {
    for (; first < last && !code_.is(first, ","); ++first) {
      if (code_.is(first, "<") && code_.template_end(first) != none) first = code_.template_end(first);
      first = code_.past_brackets(first);
    }
    return std::min(first, last);
  }

  // make_uchar4(a, b, c, d) and the like: CUDA's functions, whose parameters are known.
  void vectors() {
    for (std::size_t i = function_.body; i < end_; ++i) {
      if (!code_.text(i).starts_with("make_") || !code_.is(i + 1, "(") || code_.partner(i + 1) == none)
        continue;
      const std::string type = vector_element(code_.text(i).substr(5));
      if (type.empty()) continue;
      const std::size_t close = code_.partner(i + 1);
      for (std::size_t first = i + 2, last; first < close; first = last + 1) {
        last = comma(first, close);
        convert(first, last, type.substr(1));
      }
    }
  }

  // The token at which the statement that holds token i ends.
  std::size_t statement_end(std::size_t i) const {
    for (; i < end_ && !code_.is(i, ";"); ++i) {
      if (code_.is(i, ")") || code_.is(i, "]") || code_.is(i, "}")) return none;
      if (code_.is(i, "(") || code_.is(i, "[") || code_.is(i, "{")) {
        i = code_.partner(i);
        if (i == none) return none;
      }
    }
    return i < end_ ? i : none;
  }

  void returns() {
    // The last type before the name, if it is all there is.
    std::size_t at = function_.name_at;
    while (at > function_.head && (code_.is(at - 1, Kind::word) || code_.is(at - 1, "::"))) --at;
    IntegerType type;
    for (; at < function_.name_at && !type; ++at) type = integer_type(code_, at);
    if (!type || type.end != function_.name_at) return;
    for (std::size_t i = function_.body; i < end_; ++i) {
      if (!code_.is(i, "return") || code_.is(i + 1, "{") || in_function_within(i)) continue;
      const std::size_t last = statement_end(i);
      if (last != none) convert(i + 1, last, type.name);
    }
  }

  // name = ...; name[i] += ...; *name = ...; name[i].x = ...;
  void assignments() {
    for (std::size_t i = function_.body; i < end_; ++i) {
      const std::string_view t = code_.text(i);
      if (t != ";" && t != "{" && t != "}" && t != ")" && t != "else" && t != "do") continue;
      std::size_t at = i + 1;
      int depth = 0;
      for (; code_.is(at, "*"); ++at) ++depth;
      const Variable* const known = variable(at);
      if (!code_.is(at, Kind::word) || known == nullptr || known->type.empty()) continue;
      if (depth > 0 && code_.is(i, ")")) continue;  // (a) * b
      bool side_effects = false;
      for (++at; code_.is(at, "[") && code_.partner(at) != none; at = code_.partner(at) + 1) {
        for (std::size_t k = at; k < code_.partner(at); ++k)
          side_effects |= code_.is(k, "(") || code_.is(k, "++") || code_.is(k, "--") || code_.is(k, "=");
        ++depth;
      }
      std::string type = known->type;
      if (type.starts_with('.')) {
        static const Words elements = {"x", "y", "z", "w"};
        if (!code_.is(at, ".") || !elements.contains(code_.text(at + 1))) continue;
        type.erase(0, 1);
        at += 2;
      }
      if (depth != known->depth) continue;
      const std::string_view sign = code_.text(at);
      std::size_t last = statement_end(at);
      if (last == none || last <= at + 1 || code_.is(at + 1, "{")) continue;
      last = comma(at + 1, last);
      bool angle = false;  // then the comma may stand among template arguments
      for (std::size_t k = at + 1; k < last; ++k) angle |= code_.is(k, "<");
      if (angle && code_.is(last, ",")) continue;
      if (sign == "=") {
        convert(at + 1, last, type);
      } else if ((sign == "+=" || sign == "-=" || sign == "*=" || sign == "/=") && !side_effects &&
                 !obviously_integer(at + 1, last)) {
        const std::string target = std::string(code_.between(i + 1, at)) + " ";
        if (target.find('\n') != target.npos) continue;
        std::string text = "= ::emulated::to<";
        text.append(type).append(">(").append(target).append(sign.substr(0, 1)).append(" (");
        source_.replace(code_.begin(at), code_.begin(at + 1), std::move(text));
        source_.close(code_.end(last - 1), "))");
      }
    }
  }

  Source& source_;
  const Tokens& code_;
  const Function& function_;
  const std::size_t end_;
  std::map<std::string, std::vector<Variable>, std::less<>> variables_;
  std::size_t scope_end_ = 0;
  std::vector<Initializer> initializers_;
  std::vector<std::pair<std::size_t, std::size_t>> within_;
};

// A name behind `class` or `typename` among template parameters, or of a `typedef int name;`, and the tokens [first, last]
// where it is a type.
struct TypeName {
  std::string_view name;
  std::size_t first, last;
};

std::vector<TypeName> names_of_types(const Tokens& code) {
  std::vector<TypeName> found;
  for (std::size_t i = 1; i + 1 < code.size(); ++i) {
    if (code.is(i, "typedef")) {
      const IntegerType type = integer_type(code, i + 1);
      if (type && code.is(type.end, Kind::word) && code.is(type.end + 1, ";"))
        found.push_back({code.text(type.end), i, code.size()});
    }
    if (!(code.is(i, "class") || code.is(i, "typename")) || !(code.is(i - 1, "<") || code.is(i - 1, ",")) ||
        !code.is(i + 1, Kind::word) || !(code.is(i + 2, ">") || code.is(i + 2, ",") || code.is(i + 2, "=")))
      continue;
    std::size_t last = i;
    for (; last < code.size() && !code.is(last, ";"); ++last) {
      const bool body = code.is(last, "{");
      if ((body || code.is(last, "(") || code.is(last, "[")) && code.partner(last) != none)
        last = code.partner(last);
      if (body) break;
    }
    found.push_back({code.text(i + 1), i, last});
  }
  return found;
}

}  // namespace

void translate_conversions(Source& source, const Outline& outline) {
  const Tokens& code = source.code();
  const std::vector<TypeName> types = names_of_types(code);
  Words all_names;
  for (const TypeName& type : types) all_names.insert(type.name);
  for (const Function& function : outline.functions) {
    if (function.body == none) continue;
    const std::size_t end = code.partner(function.body);
    Words type_names;  // those of the function, of classes around it and of lambdas within
    for (const TypeName& type : types)
      if (type.first < end && type.last > function.name_at) type_names.insert(type.name);
    if (function.in_kernel()) {
      translate_casts(source, code, type_names, code.partner(function.parameters) + 1, function.body, end);
      Implicit(source, code, function).translate();
      continue;
    }
    // Lambdas for the device in host code: [=] __device__ (int i) { ... }
    for (std::size_t i = function.body; i < end; ++i) {
      if (!code.is(i, "__device__") ||
          !(code.is(i - 1, "]") || code.is(i - 1, ")") || code.is(i - 1, "__host__")))
        continue;
      std::size_t open = i;
      while (open < end && !code.is(open, "{") && !code.is(open, ";")) ++open;
      if (!code.is(open, "{") || code.partner(open) == none) continue;
      translate_casts(source, code, type_names, open, open, code.partner(open));
      Function lambda;
      lambda.head = lambda.name_at = lambda.parameters = i + 1;
      lambda.body = open;
      Implicit(source, code, lambda).translate();
      i = code.partner(open);
    }
  }
  for (const Directive& directive : source.directives()) {
    const Tokens& line = directive.tokens;
    if (line.is(0, "define") && line.is(2, "(") && line.touches_previous(2) && line.partner(2) != none)
      translate_casts(source, line, all_names, line.partner(2) + 1, 0, line.size());
  }
}

}  // namespace translate
