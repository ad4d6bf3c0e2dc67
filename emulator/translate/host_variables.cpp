// Variables of the host that code of the device names: g++ would let a kernel read them. Only where
// the name can be nothing else: a name that is also a local one, a member, an enumerator, part of a
// macro or another variable is the compiler's.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "declarators.h"
#include "passes.h"

namespace translate {

namespace {

// After `struct Name : Base { ... }` or the like, with which the declaration may begin.
std::size_t after_type_definition(const Tokens& code, const Declaration& declaration) {
  std::size_t i = declaration.first;
  while (code.is_one_of(i, "static const extern inline volatile typedef")) ++i;
  if (!code.is_one_of(i, "struct class union enum")) return declaration.first;
  const std::size_t open = code.find(i, declaration.last, "{ =");
  if (open < declaration.last && code.is(open, "{") && code.partner(open) < declaration.last)
    return code.partner(open) + 1;
  const bool only_named =
      declaration.last <= i + 2 || code.find(i, declaration.last, ":") < declaration.last;
  return only_named ? declaration.last : declaration.first;
}

// What a declaration at namespace scope declares.
struct Variables {
  std::vector<std::string> names;
  bool of_host = false;  // and nothing that nvcc takes in device code
};

Variables variables(const Tokens& code, const Declaration& declaration, const Program& program) {
  Variables found;
  unsigned sides = 0;
  bool other =
      code.is_one_of(declaration.first, "using typedef friend template static_assert namespace");
  // Texture references: where a header has them, as the book's does, kernels name them.
  other |= code.is(declaration.first, "texture") || code.is(declaration.first + 1, "texture");
  bool constant = false;
  for (std::size_t i = declaration.first; i < declaration.last; i = code.past_brackets(i) + 1) {
    if (code.is(i, "=")) break;
    sides |= side_of(code.text(i), program) & ~unsigned{side_both};
    constant |= code.is_one_of(i, "const constexpr constinit");
    other |= code.is_one_of(i, "operator __shared__") ||
             (code.is(i, Kind::word) && program.function_macros.contains(code.text(i)));
  }
  const std::size_t first = after_type_definition(code, declaration);
  if (first == declaration.last) return found;
  bool address = false;  // a pointer or an array, which nvcc refuses though it is const
  for (const Part& part : parts(code, first, declaration.last)) {
    std::string name = declared_name(code, part);
    if (name.empty() || name.find(':') != std::string::npos) continue;
    if (first == declaration.first && code.is(first, name)) continue;  // MACRO(x);
    const std::size_t value = code.find(part.first, part.last, "=");
    for (std::size_t i = part.first; i < value; i = code.past_brackets(i) + 1)
      address |= code.is(i, "*") || (code.is(i, "[") && code.is(i - 1, name));
    found.names.push_back(std::move(name));
  }
  found.of_host = !other && sides == 0 && (!constant || address);
  return found;
}

// Names that mean something else somewhere: types, enumerators, and whatever macros are made of.
void learn_other_names(const Source& source, Program& program) {
  const Tokens& code = source.code();
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.is_one_of(i, "struct class union typename namespace using") &&
        code.is(i + 1, Kind::word))
      program.other_names.emplace(code.text(i + 1));
    if (!code.is(i, "enum")) continue;
    const std::size_t open = code.find(i, code.size(), "{ ;");
    if (!code.is(open, "{") || code.partner(open) == none) continue;
    for (const Part& part : parts(code, open + 1, code.partner(open)))
      program.other_names.emplace(code.text(part.first));
  }
  for (const Macro& macro : source.macros())
    for (std::size_t i = 1; i < macro.line.size(); ++i)
      if (macro.line.is(i, Kind::word)) program.other_names.emplace(macro.line.text(i));
}

class HostVariables {
 public:
  HostVariables(Source& source, const Outline& outline, Program& program)
      : source_(source),
        code_(source.code()),
        outline_(outline),
        program_(program),
        namespaces_(named_namespaces(code_)) {}

  void run() {
    learn_other_names(source_, program_);
    for (const Declaration& declaration : outline_.declarations)
      if (!declaration.member && !variables(code_, declaration, program_).of_host)
        learn(declaration);
    auto declaration = outline_.declarations.begin();
    for (const Function& function : outline_.functions) {
      for (; declaration != outline_.declarations.end() && declaration->last < function.name_at;
           ++declaration)
        if (!declaration->member) learn(*declaration);
      // nvcc compiles a template for both sides for the device only where a kernel uses it.
      const bool compiled =
          function.only_device() || (function.in_kernel() && !code_.is(function.head, "template"));
      if (function.body != none && !function.member && compiled &&
          (function.side & side_unknown) == 0)
        check(function);
    }
    for (; declaration != outline_.declarations.end(); ++declaration)
      if (!declaration->member) learn(*declaration);
  }

 private:
  void learn(const Declaration& declaration) {
    const Variables found = variables(code_, declaration, program_);
    for (const std::string& name : found.names) {
      if (!found.of_host)
        program_.other_names.insert(name);
      else
        program_.host_variables[name].insert(place(namespaces_, declaration.first));
    }
  }

  void check(const Function& function) {
    Program::Names refused;
    for (std::size_t i = function.body; i < code_.partner(function.body); ++i) {
      const auto known = program_.host_variables.find(code_.text(i));
      if (known == program_.host_variables.end() || refused.contains(known->first)) continue;
      if (!is_use(i) || is_something_else(function, known->first) ||
          !names_one_of(known->second, function, i))
        continue;
      refused.insert(known->first);
      source_.refuse(code_.begin(i),
                     joined({"\"", known->first,
                             "\" is undefined in device code: it is a variable of the host; pass "
                             "it as an argument, or make it __device__ or __constant__"}));
    }
  }

  // No member, function or type, and its value or address counts, as it does not in sizeof(name).
  bool is_use(std::size_t i) const {
    if (code_.is_one_of(i - 1, ". -> goto") || code_.is_one_of(i + 1, "( ::")) return false;
    for (std::size_t open = i; open-- > 0 && !code_.is_one_of(open, "; { }");) {
      if (code_.is_one_of(
              open, "sizeof decltype alignof typeid noexcept static_assert constexpr __typeof__"))
        return false;
      if (code_.is_one_of(open, ") ]") && code_.partner(open) != none) open = code_.partner(open);
    }
    return true;
  }

  bool is_something_else(const Function& function, const std::string& name) const {
    if (program_.other_names.contains(name) || program_.functions.contains(name) ||
        is_local(code_, function, name))
      return true;
    for (std::size_t i = function.head; i < code_.partner(function.body); ++i) {
      // Among the arguments of a macro it may be declared.
      if (!code_.is(i + 1, "(") || code_.partner(i + 1) == none || !code_.is(i, Kind::word))
        continue;
      if ((side_of(code_.text(i), program_) & side_unknown) == 0 &&
          !program_.function_macros.contains(code_.text(i)))
        continue;
      for (std::size_t k = i + 2; k < code_.partner(i + 1); ++k)
        if (code_.is(k, name)) return true;
    }
    return false;
  }

  // Does the name at token i, with what qualifies it, lead to a variable
  // in one of these namespaces?
  bool names_one_of(const Program::Names& places, const Function& function, std::size_t i) const {
    std::string qualified;
    while (code_.is(i - 1, "::") && code_.is(i - 2, Kind::word)) {
      i -= 2;
      qualified = joined({code_.text(i), "::", qualified});
    }
    if (code_.is(i - 1, "::")) return places.contains(qualified);
    for (std::string around = place(namespaces_, function.body);;) {
      if (places.contains(around + qualified)) return true;
      if (around.empty()) return false;
      around.resize(around.size() - 2);
      const std::size_t outer = around.rfind("::");
      around.resize(outer == std::string::npos ? 0 : outer + 2);
    }
  }

  Source& source_;
  const Tokens& code_;
  const Outline& outline_;
  Program& program_;
  const std::vector<Namespace> namespaces_;
};

}  // namespace

void refuse_host_variables(Source& source, const Outline& outline, Program& program) {
  HostVariables(source, outline, program).run();
}

}  // namespace translate
