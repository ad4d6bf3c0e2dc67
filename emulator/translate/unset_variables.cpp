// Local variables of device code that are added to before they have a value: `float sum;`, then
// `sum += x[i]` in a loop. g++ tells what is certain without a condition or loop (-Wuninitialized);
// in those it could only guess. A variable counts whose first mention behind its declaration adds
// to it, where no loop around that could have brought it a value.
#include <string>
#include <string_view>

#include "declarators.h"
#include "passes.h"

namespace translate {

namespace {

class UnsetVariables {
 public:
  UnsetVariables(Source& source, const Function& function, const Program& program)
      : source_(source),
        code_(source.code()),
        function_(function),
        program_(program),
        end_(code_.partner(function.body)) {}

  void run() {
    for (std::size_t i = function_.body; i < end_; ++i)
      if (code_.is(i, "goto") || code_.is(i, "asm")) return;
    for (std::size_t i = function_.body + 1; i < end_; ++i)
      if (code_.is_one_of(i - 1, "; { }")) check_declaration(i);
  }

 private:
  // int a, b = 3; of a type that the language has.
  void check_declaration(std::size_t first) {
    std::size_t i = first;
    while (code_.is_one_of(i, "unsigned signed char short int long float double bool")) ++i;
    const std::size_t end = code_.find(i, end_, ";");
    if (i == first || end == end_ || !code_.is(i, Kind::word)) return;
    for (const Part& part : parts(code_, i, end))
      if (part.last == part.first + 1 && code_.is(part.first, Kind::word) &&
          !program_.other_names.contains(code_.text(part.first)))  // a macro may set it
        check_variable(part.first, end);
  }

  void check_variable(std::size_t name, std::size_t behind) {
    const std::size_t block_end = end_of_block(behind);
    std::size_t first = behind;
    while (first < block_end && !is_name(first, name)) ++first;
    if (first >= block_end || !is_added_to(first) || !is_conditional(behind, first)) return;
    for (std::size_t i = behind; i < first; ++i)
      if (code_.is_one_of(i, "for while do") && end_of_statement(i) > first &&
          may_be_set(name, i, end_of_statement(i), first))
        return;
    source_.warn(
        code_.begin(first),
        joined({code_.text(name), " has no value yet: give it one where it is declared, in line ",
                std::to_string(source_.line(code_.begin(name)))}));
  }

  bool is_name(std::size_t i, std::size_t name) const {
    return code_.is(i, code_.text(name)) && !code_.is_one_of(i - 1, ". -> ::");
  }

  bool is_changed_by_itself(std::size_t i) const {
    const std::string_view sign = code_.text(i + 1);
    return (is_assignment(sign) && sign != "=") || code_.is_one_of(i - 1, "++ --");
  }

  // sum += x, ++sum, or sum = sum + x
  bool is_added_to(std::size_t i) const {
    if (is_changed_by_itself(i)) return true;
    if (!code_.is(i + 1, "=") || !code_.is_one_of(i - 1, "; { } )")) return false;
    return code_.is(i + 2, code_.text(i)) && code_.is_one_of(i + 3, "+ - * / & | ^");
  }

  std::size_t end_of_block(std::size_t from) const {
    for (std::size_t i = from; i < end_; i = code_.past_brackets(i) + 1)
      if (code_.is(i, "}")) return i;
    return end_;
  }

  // Is the use in a loop, a branch or a block that the declaration is not in?
  // Not one of a lambda or a class.
  bool is_conditional(std::size_t behind, std::size_t use) const {
    bool found = false;
    for (std::size_t i = behind; i < use; ++i) {
      if (code_.is(i, "{") && code_.partner(i) != none && code_.partner(i) > use) {
        const bool of_statement = code_.is_one_of(i - 1, "; { } else do") ||
                                  (code_.is(i - 1, ")") && code_.partner(i - 1) != none &&
                                   code_.is_one_of(code_.partner(i - 1) - 1, "if for while"));
        if (!of_statement) return false;
      }
      if (code_.is_one_of(i, "if for while do") && end_of_statement(i) > use) found = true;
    }
    return found;
  }

  // Where the statement ends that begins with if, for, while or do at token i.
  std::size_t end_of_statement(std::size_t i) const {
    if (code_.is(i, "constexpr") || code_.is(i + 1, "constexpr")) ++i;
    std::size_t at = code_.is(i + 1, "(") ? code_.past_brackets(i + 1) + 1 : i + 1;
    if (code_.is(at, "{")) {
      at = code_.past_brackets(at);
      return code_.is(at + 1, "else") ? end_of_statement(at + 1) : at;
    }
    if (code_.is_one_of(at, "if for while do")) return end_of_statement(at);
    at = code_.find(at, end_, ";");
    return code_.is(at + 1, "else") ? end_of_statement(at + 1) : at;
  }

  // Can the loop [first, last) give it a value: does it name it other than
  // to add to it or to read it?
  bool may_be_set(std::size_t name, std::size_t first, std::size_t last, std::size_t use) const {
    for (std::size_t i = first; i < last; ++i) {
      if (i == use || !is_name(i, name) || is_changed_by_itself(i)) continue;
      if (code_.is(use + 1, "=") && i == use + 2) continue;  // sum = sum + x
      if (code_.is(i + 1, "=") || !code_.is_one_of(i - 1, "[ = + - * / % < > == != <= >= && ||"))
        return true;
    }
    return false;
  }

  Source& source_;
  const Tokens& code_;
  const Function& function_;
  const Program& program_;
  const std::size_t end_;
};

}  // namespace

void warn_of_unset_variables(Source& source, const Outline& outline, Program& program) {
  for (const Function& function : outline.functions)
    if (function.body != none && function.in_kernel())
      UnsetVariables(source, function, program).run();
}

}  // namespace translate
