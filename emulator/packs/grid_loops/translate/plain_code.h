// Code of which everything is known: numbers, the language's own operators, functions without
// surprises. Threads may take turns anywhere in it, and it can be run again with the same result.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "functions.h"

namespace translate {

using NameSet = std::set<std::string, std::less<>>;

/// Tokens [first, last).
struct Range {
  std::size_t first = none, last = none;  // none: there are no such tokens
};

/// int, const, float4, size_t: words of which plain types are made.
bool is_plain_type_word(std::string_view word);
bool is_arithmetic_type_word(std::string_view word);
bool is_vector_type(std::string_view word);
/// A mathematical function of CUDA's that takes its arguments by value.
bool is_plain_function(std::string_view word);
bool is_plain_atomic(std::string_view word);

/// Does an operand end with token i? Else a sign after it has one
/// operand, and ++ changes what follows.
bool is_operand(const Tokens& code, std::size_t i);
/// The last token of the member of an object that token i names, as in view.data; i itself where no
/// member follows.
std::size_t last_of_member(const Tokens& code, std::size_t i);
/// The token after the statement that begins at token i; none where it is unknown.
std::size_t after_statement(const Tokens& code, std::size_t i);

/// What a file knows besides the names of one kernel: constants, macros that
/// stand for them, plain functions.
class PlainFile {
 public:
  PlainFile(const Source& source, const Outline& outline, const Program& program);

  /// A constant, or a macro that stands for numbers.
  bool is_constant(std::string_view name) const { return constants_.contains(name); }
  /// A macro of which that is not known.
  bool is_other_macro(std::string_view name) const {
    return macros_.contains(name) && !is_constant(name);
  }
  /// A function of this file that does nothing but compute with what it is given by value.
  bool is_plain_device_function(std::string_view name) const;
  /// Does the program declare such a function itself?
  bool declares_function(std::string_view name) const;
  /// Does any class have operators of its own?
  bool has_operators() const { return declares_function("operator"); }

  const Tokens& code() const { return code_; }
  const Source& source() const { return source_; }

 private:
  const Source& source_;
  const Tokens& code_;
  const Outline& outline_;
  const Program& program_;
  NameSet macros_, constants_;
  mutable std::map<std::string, bool, std::less<>> functions_;  // asked before
};

/// The names that a piece of code may use.
struct PlainNames {
  explicit PlainNames(const Function& around) : function(around) {}

  const Function& function;  // what else it declares hides names of namespace scope
  NameSet values;   // never changed in the code: parameters, indices, constants of the kernel
  NameSet numbers;  // numbers that it may change
  NameSet memory;   // pointers and arrays; never changed themselves
  NameSet
      objects;  // parameters of classes, never changed: their members that are numbers or pointers
  NameSet types;  // template parameters of which it is known at compile time that they are plain
  bool atomics = false;  // atomic functions, outside of loops
  bool can_return = false;
  bool can_continue = false;  // outside of loops of its own

  bool knows(std::string_view name) const {
    return values.contains(name) || numbers.contains(name) || memory.contains(name) ||
           objects.contains(name);
  }
};

/// Is it plain code with these names? Adds to `changed` which of the numbers it changes.
bool is_plain_code(const PlainFile& file, Range code, const PlainNames& names, NameSet& changed);

/// The plain parameters of a function, by kind; has_others: there are parameters of other types.
struct PlainParameters {
  NameSet values, memory, objects;
  bool has_others = false;
};
PlainParameters plain_parameters(const PlainFile& file, const Function& function,
                                 const NameSet& types);

}  // namespace translate
