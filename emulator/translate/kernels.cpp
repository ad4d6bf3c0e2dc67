// What nvcc refuses of a kernel's declaration, but for its type (refusals.cpp), and
// of variables that are declared in memory where they cannot lie: g++ takes
// __global__ and __constant__ for nothing.
#include <string>
#include <string_view>

#include "declarators.h"
#include "passes.h"

namespace translate {

namespace {

class Declarations {
 public:
  Declarations(Source& source, const Outline& outline, const Program& program)
      : source_(source), code_(source.code()), outline_(outline), program_(program) {}

  void run() {
    for (const Function& function : outline_.functions) {
      if ((function.side & side_global) != 0) check_kernel(function);
      if (function.body != none) check_variables(function);
      if (function.body != none && function.name == "main" && !function.member)
        give_return_a_value(function);
    }
    for (const Declaration& declaration : outline_.declarations)
      if (declaration.member) check_member(declaration);
  }

 private:
  void refuse(std::size_t token, const std::string& sentence) {
    source_.refuse(code_.begin(token), sentence);
  }

  void check_kernel(const Function& function) {
    const std::string& name = function.name;
    bool is_friend = false;
    bool constant = false;
    unsigned sides = 0;
    for (std::size_t i = function.head; i < function.name_at; ++i) {
      is_friend |= code_.is(i, "friend");
      constant |= code_.is_one_of(i, "constexpr consteval");
      if (code_.is_one_of(i, "__device__ __host__")) sides |= side_of(code_.text(i), program_);
    }
    // A name after :: may be a namespace's.
    const bool qualified = code_.is(function.name_at - 1, "::");
    if (name == "operator")
      refuse(function.name_at, "an operator cannot be a kernel");
    else if (function.member && !is_friend && !qualified)
      refuse(function.name_at,
             joined({"kernel ", name,
                     " cannot be a member of a class: make it a function outside, and give it the "
                     "object as an argument"}));
    if (constant) refuse(function.name_at, joined({"kernel ", name, " cannot be constexpr"}));
    if (sides != 0)
      refuse(function.name_at,
             joined({"kernel ", name,
                     " cannot be a __device__ or __host__ function, too: let it call one"}));
    const std::size_t end = code_.partner(function.parameters);
    for (std::size_t i = function.parameters + 1; i < end; i = code_.past_brackets(i) + 1) {
      if (code_.is(i, "...") && code_.is_one_of(i - 1, ", ("))
        refuse(i, joined({"kernel ", name, " cannot take any number of arguments (...)"}));
      if (code_.is(i, "&&") && (code_.is(i + 1, Kind::word) || code_.is_one_of(i + 1, ", ) ...")))
        refuse(i,
               joined({"kernel ", name, " cannot take an rvalue reference (&&): give it a value"}));
    }
  }

  // __constant__ int n; or __device__ int n; in a function, static ones in one that is not of the
  // device alone, __shared__ in one of the host.
  void check_variables(const Function& function) {
    for (std::size_t i = function.body; i < code_.partner(function.body); ++i) {
      const bool begins = code_.is_one_of(i - 1, "; { } static");
      if (begins && code_.is_one_of(i, "__constant__ __device__ __managed__") &&
          declares_variable(i) && !(function.only_device() && is_static(i)))
        refuse(i, joined({code_.text(i), " variables cannot be declared in a function such as ",
                          function.name, ": they stand outside of functions"}));
      if (code_.is(i, "__shared__") && function.only_host() && !has_device_code_before(function, i))
        refuse(i, joined({"__shared__ variables belong to a block: ", function.name,
                          " is a function of the host and has none"}));
    }
  }

  // Up to its value or end nothing looks like a function, or like a class.
  bool declares_variable(std::size_t first) const {
    const std::size_t end = code_.find(first, code_.size(), "; = [");
    for (std::size_t i = first; i < end; ++i)
      if (code_.is_one_of(i, "( {") && !is_alignment(code_.text(i - 1))) return false;
    return true;
  }

  bool is_static(std::size_t first) const {
    const std::size_t end = code_.find(first, code_.size(), "; = [ {");
    return code_.is(first - 1, "static") || code_.find(first, end, "static") < end;
  }

  // A lambda or a local class may be the device's.
  bool has_device_code_before(const Function& function, std::size_t at) const {
    for (std::size_t i = function.body; i < at; ++i)
      if (code_.is_one_of(i, "__device__ __global__")) return true;
    return false;
  }

  void check_member(const Declaration& declaration) {
    bool is_static = false;
    std::size_t memory = none;
    for (std::size_t i = declaration.first; i < declaration.last; i = code_.past_brackets(i) + 1) {
      if (code_.is(i, "=") || code_.is_one_of(i, "friend using")) break;
      is_static |= code_.is(i, "static");
      if (code_.is_one_of(i, "__constant__ __device__ __shared__ __managed__") && memory == none)
        memory = i;
    }
    if (memory == none) return;
    const std::string_view word = code_.text(memory);
    if (is_static)
      refuse(memory, joined({word, " cannot be in a class: declare the variable outside"}));
    else
      source_.warn(code_.begin(memory),
                   joined({word, " has no effect on a member: it is where its object is"}));
  }

  // return; in main, which nvcc takes, with a warning.
  void give_return_a_value(const Function& function) {
    for (std::size_t i = function.body; i < code_.partner(function.body); ++i) {
      if (!code_.is(i, "return") || !code_.is(i + 1, ";") || !is_own_statement(function, i))
        continue;
      source_.close(code_.end(i), " 0");
      source_.warn(code_.begin(i), "main should return a value: return 0;");
    }
  }

  // Not one of a lambda or of a local class.
  bool is_own_statement(const Function& function, std::size_t token) const {
    for (std::size_t i = function.body + 1; i < token; ++i) {
      if (!code_.is(i, "{") || code_.partner(i) == none || code_.partner(i) < token) continue;
      const bool of_statement =
          code_.is_one_of(i - 1, "; { } else do try :") ||
          (code_.is(i - 1, ")") && code_.partner(i - 1) != none &&
           code_.is_one_of(code_.partner(i - 1) - 1, "if for while switch catch constexpr"));
      if (!of_statement) return false;
    }
    return true;
  }

  Source& source_;
  const Tokens& code_;
  const Outline& outline_;
  const Program& program_;
};

}  // namespace

void refuse_declarations(Source& source, const Outline& outline, Program& program) {
  Declarations(source, outline, program).run();
}

}  // namespace translate
