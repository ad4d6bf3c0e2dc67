#include "functions.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "declarators.h"

namespace translate {

unsigned side_of(std::string_view word, const Program& program) {
  if (word == "__global__") return side_global;
  if (word == "__device__") return side_device;
  if (word == "__host__") return side_host;
  if (word == "__constant__") return side_constant;
  if (word == "__managed__") return side_managed;
  if (word == "constexpr") return side_both;
  if (word == "consteval") return side_both | side_unknown;  // the compiler calls it
  const auto macro = program.macro_sides.find(word);
  if (macro != program.macro_sides.end()) return macro->second;
  // A name in capitals is a macro that we have not seen.
  const bool capitals =
      word.size() > 1 && std::none_of(word.begin(), word.end(), [](unsigned char c) {
        return std::islower(c) != 0 || c >= 0x80;
      });
  return capitals && std::isalpha(static_cast<unsigned char>(word[0])) != 0 ? unsigned{side_unknown}
                                                                            : 0u;
}

namespace {

// Words before a parenthesis that is not a parameter list.
bool takes_parentheses(std::string_view word) {
  return one_of(
      word,
      "__attribute__ __launch_bounds__ __maxnreg__ __cluster_dims__ __align__ alignas decltype "
      "noexcept explicit requires __declspec sizeof __builtin_align__");
}

class Scanner {
 public:
  Scanner(const Tokens& code, const Program& program) : code_(code), program_(program) {}

  Outline run() {
    scan(0, code_.size(), false, 0);
    return std::move(result_);
  }

 private:
  // The declarations of tokens [first, last), which lie in a namespace or a class.
  void scan(std::size_t first, std::size_t last, bool in_class, int depth) {
    std::size_t head = first;
    for (std::size_t i = first; i < last; ++i) {
      const std::string_view t = code_.text(i);
      if (t == ";") {
        declaration(head, i, in_class);
        head = i + 1;
      } else if (t == "(" || t == "[") {
        if (code_.partner(i) != none) i = std::min(code_.partner(i), last);
      } else if (t == "}" || (t == ":" && i > head && in_class && is_access(code_.text(i - 1)))) {
        head = i + 1;
      } else if (t == "{") {
        const std::size_t close = code_.partner(i);
        if (close == none || close >= last) {
          head = i + 1;  // a branch of an #if that another one closes
          continue;
        }
        if (brace(head, i, close, in_class, depth)) head = close + 1;
        i = close;
      }
    }
  }

  static bool is_access(std::string_view word) { return one_of(word, "public private protected"); }

  // A { with what precedes it since token `head`. Returns whether a new
  // declaration begins after it.
  bool brace(std::size_t head, std::size_t open, std::size_t close, bool in_class, int depth) {
    bool is_namespace = false;
    bool is_class = false;
    bool is_enum = false;
    bool assigned = false;
    for (std::size_t i = skip_template(head, open); i < open; ++i) {
      const std::string_view t = code_.text(i);
      if (one_of(t, "( [ {")) {
        if (code_.partner(i) == none || code_.partner(i) > open) break;
        i = code_.partner(i);
        continue;
      }
      is_namespace |=
          t == "namespace" || (t == "extern" && code_.is(i + 1, Kind::text) && i + 2 == open);
      is_class |= one_of(t, "class struct union");
      is_enum |= t == "enum";
      assigned |= t == "=";
    }
    constexpr int deepest = 200;
    if (is_namespace) {
      if (depth < deepest) scan(open + 1, close, false, depth + 1);
      return true;
    }
    if (assigned || is_enum) return false;
    Function function;
    if (find_function(head, open, in_class, function)) {
      // A() : member{1} { ... }: the brace of a member's initializer has a name before it.
      if (has_initializers(function, open) &&
          (code_.is(open - 1, Kind::word) || code_.is(open - 1, ">") || code_.is(open - 1, ",")))
        return false;
      function.body = open;
      result_.functions.push_back(std::move(function));
      return true;
    }
    if (is_class && depth < deepest) {
      scan(open + 1, close, true, depth + 1);
      return false;  // variables may follow
    }
    return false;
  }

  bool has_initializers(const Function& function, std::size_t open) const {
    const std::size_t close = code_.partner(function.parameters);
    for (std::size_t i = close + 1; i < open; ++i) {
      if (code_.is(i, ":")) return true;
      if (code_.is(i, "(") && code_.partner(i) != none) i = code_.partner(i);
    }
    return false;
  }

  // After template <...>, as often as it occurs.
  std::size_t skip_template(std::size_t i, std::size_t last) const {
    while (i < last && code_.is(i, "template") && code_.is(i + 1, "<"))
      i = code_.after_angles(i + 1, last);
    return i;
  }

  // Do the tokens [head, last) declare a function? Fills in what is known of it.
  bool find_function(std::size_t head, std::size_t last, bool in_class, Function& function) const {
    unsigned side = 0;
    for (std::size_t i = skip_template(head, last); i < last; ++i) {
      const std::string_view t = code_.text(i);
      if (one_of(t, "= : using typedef static_assert")) return false;
      if (t == "[" || t == "{") {
        if (code_.partner(i) == none) return false;
        i = code_.partner(i);
      } else if (t == "<" && i > head && code_.is(i - 1, Kind::word)) {
        i = code_.after_angles(i, last) - 1;
      } else if (t == "operator") {
        function.name = "operator";
        function.name_at = i;
        // operator()(...), or operator+(...)
        std::size_t open = i + 1;
        while (open < last && !code_.is(open, "(")) ++open;
        if (code_.is(open, "(") && open == i + 1 && code_.is(open + 1, ")")) open += 2;
        return finish(head, open, last, side, true, function);
      } else if (t == "(") {
        const std::string_view before = i > head ? code_.text(i - 1) : std::string_view();
        if (i > head && code_.is(i - 1, Kind::word) && !takes_parentheses(before)) {
          function.name = before;
          function.name_at = i - 1;
          const bool qualified = i > head + 1 && (code_.is(i - 2, "::") || code_.is(i - 2, "~"));
          return finish(head, i, last, side & ~name_side(before), in_class || qualified, function);
        }
        if (code_.partner(i) == none) return false;
        i = code_.partner(i);
      } else if (code_.is(i, Kind::word)) {
        side |= side_of(t, program_);
      }
    }
    return false;
  }

  // A name in capitals says nothing about the function itself.
  unsigned name_side(std::string_view name) const {
    return side_of(name, program_) == side_unknown ? unsigned{side_unknown} : 0u;
  }

  bool finish(std::size_t head, std::size_t open, std::size_t last, unsigned side, bool member,
              Function& function) const {
    if (open >= last || code_.partner(open) == none || code_.partner(open) >= last) return false;
    function.side = side;
    function.member = member;
    function.head = head;
    function.parameters = open;
    return true;
  }

  void declaration(std::size_t head, std::size_t last, bool in_class) {
    Function function;
    if (find_function(head, last, in_class, function) && looks_like_parameters(function))
      result_.functions.push_back(std::move(function));
    else if (head < last)
      result_.declarations.push_back({head, last, in_class});
  }

  // dim3 grid(1, 2); is a variable: a parameter list is empty or begins with a
  // word that another word or one of
  // * & < :: > ) , follows.
  bool looks_like_parameters(const Function& function) const {
    const std::size_t first = function.parameters + 1;
    if (function.name_at == function.head) return false;  // MACRO(x);
    return code_.is(first, ")") || code_.is(first, Kind::word);
  }

  const Tokens& code_;
  const Program& program_;
  Outline result_;
};

}  // namespace

std::vector<DeviceCode> device_code(const Outline& outline, const Tokens& code) {
  std::vector<DeviceCode> found;
  for (const Function& function : outline.functions) {
    if (function.body == none) continue;
    const std::size_t end = code.partner(function.body);
    if (function.in_kernel() || function.only_constexpr()) {
      found.push_back({function, code.partner(function.parameters) + 1, function.body, end});
      continue;
    }
    for (std::size_t i = function.body; i < end; ++i) {  // [=] __device__ (int i) { ... }
      if (!code.is(i, "__device__") || !code.is_one_of(i - 1, "] ) __host__")) continue;
      while (i < end && !code.is(i, "{") && !code.is(i, ";")) ++i;
      if (!code.is(i, "{") || code.partner(i) == none) continue;
      found.push_back({function, i, i, code.partner(i)});
      i = code.partner(i);
    }
  }
  return found;
}

const Function* function_around(const Outline& outline, const Tokens& code, std::size_t token) {
  for (const Function& function : outline.functions)
    if (function.body != none && function.body < token && token < code.partner(function.body))
      return &function;
  return nullptr;
}

std::vector<Namespace> named_namespaces(const Tokens& code) {
  std::vector<Namespace> found;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.is(i, "namespace") || code.is(i - 1, "inline") || code.is(i - 1, "using")) continue;
    const std::size_t open = code.find(i + 1, code.size(), "{ ; =");
    if (code.is(open, "{") && code.partner(open) != none && open > i + 1)
      found.push_back({open, code.partner(open), std::string(code.between(i + 1, open))});
  }
  return found;
}

std::string place(const std::vector<Namespace>& namespaces, std::size_t token) {
  std::string path;
  for (const Namespace& each : namespaces)
    if (each.open < token && token < each.close) path += each.name + "::";
  return path;
}

Outline outline(const Source& source, Program& program) {
  for (const Macro& macro : source.macros()) {
    if (macro.has_parameters) {
      program.function_macros.emplace(macro.name);
      continue;
    }
    unsigned side = 0;
    for (std::size_t i = macro.body; i < macro.line.size(); ++i)
      if (macro.line.is(i, Kind::word)) side |= side_of(macro.line.text(i), program);
    const auto [known, fresh] = program.macro_sides.emplace(macro.name, side);
    if (!fresh && known->second != side)
      known->second |= side | side_unknown;  // one of several branches
  }
  return Scanner(source.code(), program).run();
}

namespace {

// Does the [ hold an index, and not a lambda's captures or the names of a structured binding?
bool is_index(const Tokens& code, std::size_t open) {
  if (code.is_one_of(open - 1, ") ]")) return true;
  return code.is(open - 1, Kind::word) && !code.is_one_of(open - 1, "auto return else do case");
}

// Does the comma separate what one statement declares, what a lambda captures or gets, or the names
// of a structured binding, and no arguments or values?
bool is_listed(const Tokens& code, std::size_t comma) {
  for (std::size_t i = comma; i-- > 0;) {
    if (code.is(i, ";")) return true;
    if (code.is(i, "[")) return !is_index(code, i);
    if (code.is(i, "(")) return code.is_one_of(i - 1, "for if switch while ]");
    // Among values there is no semicolon.
    if (code.is(i, "{")) return code.find(i + 1, code.size(), "; }") < code.partner(i);
    if (code.is_one_of(i, ") ] }") && code.partner(i) != none) i = code.partner(i);
  }
  return true;
}

// Does the > at the token end a template's arguments, and is no comparison?
bool ends_template_arguments(const Tokens& code, const Function& function, std::size_t i) {
  int open = 0;
  for (; i > function.parameters; --i) {
    if (code.is_one_of(i, ") ]") && code.partner(i) != none)
      i = code.partner(i);
    else if (code.is(i, ">>"))
      open += 2;
    else if (code.is(i, ">"))
      ++open;
    else if (code.is(i, "<") && --open <= 0)
      return code.is(i - 1, Kind::word);
    else if ((code.is(i, "&&") && !code.is_one_of(i + 1, "> >> ,")) ||
             code.is_one_of(i, "; { } ( [ || ? = == != <= >= return"))
      return false;
  }
  return false;
}

// Does the *, & or > at the token end a type, and no operand?
bool ends_type(const Tokens& code, const Function& function, std::size_t i) {
  while (code.is_one_of(i, "* & && const")) --i;
  if (code.is_one_of(i, "> >>")) return ends_template_arguments(code, function, i);
  if (code.is(i, ",")) return is_listed(code, i);
  if (code.is(i, "[")) return !is_index(code, i);
  if (!code.is(i, Kind::word)) return false;
  for (; code.is(i, Kind::word) || code.is(i, "::"); --i)
    if (code.is_one_of(i, "return case")) return false;
  if (i < function.body || code.is_one_of(i, "; { } )")) return true;
  if (code.is(i, "("))
    return !code.is(i - 1, Kind::word) || code.is_one_of(i - 1, "for if switch while");
  return code.is(i, ",") && is_listed(code, i);
}

// T (*name)(int), T (&name)[4]
bool is_in_parentheses(const Tokens& code, std::size_t name) {
  std::size_t open = name - 1;
  while (code.is_one_of(open, "* & && const")) --open;
  if (open == name - 1 || !code.is(open, "(") || code.partner(open) == none) return false;
  const bool of_type =
      (code.is(open - 1, Kind::word) && !code.is_one_of(open - 1, "return case")) ||
      code.is_one_of(open - 1, "* & >");
  return of_type && code.is_one_of(name + 1, ") [") &&
         code.is_one_of(code.partner(open) + 1, "( [");
}

}  // namespace

bool declares(const Tokens& code, const Function& function, std::size_t i) {
  const std::string_view before = code.text(i - 1);
  if (code.is(i - 1, Kind::word)) return !one_of(before, "return else do case throw");
  if (before == ",") return is_listed(code, i - 1);
  if (before == "[") return !is_index(code, i - 1);
  if (before == ")")  // decltype(x) name
    return code.partner(i - 1) != none && takes_parentheses(code.text(code.partner(i - 1) - 1));
  if (one_of(before, "* & && >") && code.is_one_of(i + 1, "= , ; ) [ { ( : >"))
    return ends_type(code, function, i - 1) || is_in_parentheses(code, i);
  return before == "...";
}

bool is_local(const Tokens& code, const Function& function, std::string_view name) {
  for (std::size_t i = function.head; i < code.partner(function.body); ++i)
    if (code.is(i, name) && i != function.name_at && declares(code, function, i)) return true;
  return false;
}

bool is_local_pointer(const Tokens& code, const Function& function, std::string_view name) {
  bool found = false;
  for (std::size_t i = function.parameters; i < code.partner(function.body); ++i) {
    if (!code.is(i, name) || code.is(i - 1, "sizeof") || !declares(code, function, i)) continue;
    const bool is_array = code.is(i + 1, "[");
    const bool is_parameter = i < function.body;
    if (is_array ? !is_parameter : !code.is_one_of(i - 1, "* __restrict__")) return false;
    found = true;
  }
  return found;
}

VolatileNames volatile_names(const Tokens& code, std::size_t first, std::size_t last) {
  VolatileNames names;
  for (std::size_t i = first; i < last; ++i) {
    if (!code.is(i, "volatile")) continue;
    std::string_view name;
    std::size_t k = i + 1;
    for (; code.is(k, Kind::word) || code.is_one_of(k, "* & ::"); ++k)
      if (code.is(k, Kind::word)) name = code.text(k);
    const bool declared = code.is_one_of(k, "= ; , ) [ ( {");
    if (declared && !name.empty() && !code.is(k - 1, "*")) names.insert(name);
  }
  return names;
}

bool is_assignment(std::string_view sign) {
  return one_of(sign, "= += -= *= /= %= &= |= ^= <<= >>= ++ --");
}

namespace {

Parameters parameters_of(const Tokens& code, const Function& function) {
  const std::size_t first = function.parameters + 1;
  const std::size_t last = code.partner(function.parameters);
  Parameters found{!code.is(function.head, "template"), 0, 0,
                   std::string(code.between(first, last))};
  if (code.is(first, "void") && last == first + 1) return found;
  for (const Part& part : parts(code, first, last)) {
    ++found.most;
    found.least += code.find(part.first, part.last, "=") == part.last ? 1 : 0;
    // A macro may stand for several.
    for (std::size_t i = part.first; i < part.last; ++i)
      if (code.is(i, "...") || (i + 1 == part.last && i == part.first && code.is(i, Kind::word)))
        found.counted = false;
  }
  return found;
}

}  // namespace

void learn(const Source& source, const Outline& outline, Program& program) {
  for (const Function& function : outline.functions) {
    if (function.member) {
      program.members.insert(function.name);
      continue;
    }
    // A host function is a bit of its own here, so that overloads for both sides are distinct.
    const unsigned side = function.side == 0 ? static_cast<unsigned>(side_host) : function.side;
    unsigned& sides = program.functions.emplace(function.name, side).first->second;
    if (sides != side) sides |= side | side_unknown;
  }
  const Tokens& code = source.code();
  for (const Function& function : outline.functions)
    if ((function.side & side_global) != 0)
      program.kernels[function.name].push_back(parameters_of(code, function));
  const auto look_for_waits = [&](const Tokens& tokens, std::size_t first) {
    for (std::size_t i = first; i < tokens.size(); ++i) {
      program.waits_for_copies |= tokens.is_one_of(i, "__pipeline_wait_prior __pipeline_arrive_on");
      program.waits_for_groups |= tokens.is_one_of(i, "wait wait_prior");
    }
  };
  look_for_waits(code, 1);
  for (const Macro& macro : source.macros()) look_for_waits(macro.line, macro.body);
  for (std::size_t i = 1; i < code.size(); ++i)
    program.may_have_textures |=
        code.is(i, "texture") && (code.is(i - 1, "struct") || code.is(i - 1, "class"));
}

}  // namespace translate
