// Which functions and variables a file declares, and for which side: the host, the device, or both.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source.h"

namespace translate {

// The side of a function, or the memory of a variable, as bits.
enum Side : unsigned {
  side_global = 1,
  side_device = 2,
  side_host = 4,
  side_both = 8,      // constexpr: nvcc takes such functions on both sides
  side_unknown = 16,  // a macro that we do not know may say anything
  side_constant = 32,
  side_managed = 64
};

struct Function {
  std::string name;
  unsigned side = 0;  // 0: a plain function, so for the host
  bool member = false;
  std::size_t head = 0;  // the first token of its declaration
  std::size_t name_at = 0;
  std::size_t parameters = 0;  // the ( before the first parameter
  std::size_t body = none;     // the { of its body; none for a declaration
  bool in_kernel() const { return (side & (side_global | side_device)) != 0; }
  bool only_device() const { return in_kernel() && (side & side_host) == 0; }
  bool only_constexpr() const { return !in_kernel() && (side & side_both) != 0; }
  bool only_host() const { return (side & ~static_cast<unsigned>(side_host)) == 0; }
};

/// A declaration that ends with a semicolon at namespace or class scope: tokens [first, last).
struct Declaration {
  std::size_t first, last;
  bool member;
};

/// A kernel's parameters.
struct Parameters {
  bool counted;             // no template, no pack
  std::size_t least, most;  // how many arguments it takes
  std::string text;
};

/// What is known of all files that were read so far for one program, by name.
struct Program {
  using Names = std::set<std::string, std::less<>>;
  // of macros such as `#define HD __host__ __device__`
  std::map<std::string, unsigned, std::less<>> macro_sides;
  // all sides under which the name was declared
  std::map<std::string, unsigned, std::less<>> functions;
  // all declarations of each name
  std::map<std::string, std::vector<Parameters>, std::less<>> kernels;
  // __constant__ variables, but no pointers, and how many indices an element takes
  std::map<std::string, std::size_t, std::less<>> constants;
  Names members;               // names of member functions
  Names extern_variables;      // of the device, declared extern
  Names device_variables;      // of which the host has a copy of its own
  Names opening_macros;        // #define OPEN <<<
  Names closing_macros;        // #define CLOSE >>>
  Names configuration_macros;  // #define SHAPE <<<grid, block>>>
  Names function_macros;       // macros with parameters
  Names other_names;           // of types, enumerators, in macros, of what device code may use
  // Variables of the host at namespace scope: the namespaces ("a::b::") that have one of this name.
  std::map<std::string, Names, std::less<>> host_variables;
  bool relaxed_constexpr = true;   // may device code call constexpr functions of the host?
  bool waits_for_copies = false;   // __pipeline_wait_prior and the like are called
  bool waits_for_groups = false;   // cooperative_groups::wait and the like
  bool may_have_textures = false;  // a template of that name, or an unknown header
  // Dynamic shared memory by name, with its type, and where it was first declared, as file:line.
  std::map<std::string, std::pair<std::string, std::string>, std::less<>> dynamic_types;
  // extern __shared__ at namespace scope: the line that declares it in a
  // function, by the variable's name.
  std::map<std::string, std::string, std::less<>> dynamic_arrays;
};

struct Outline {
  std::vector<Function> functions;        // in the order of the file
  std::vector<Declaration> declarations;  // variables and the like
};

/// A function of the device or of both sides, or a lambda for the device: tokens [first, last)
/// after its parameters.
struct DeviceCode {
  const Function& function;  // or that around the lambda
  std::size_t first, body, last;
};
std::vector<DeviceCode> device_code(const Outline& outline, const Tokens& code);

/// What a word says of a function or variable: __global__, constexpr, a macro.
unsigned side_of(std::string_view word, const Program& program);

/// The functions and variables of the file. Adds its macros to `program` first.
Outline outline(const Source& source, Program& program);

/// The function whose body holds that token of `code`; null when there is none.
const Function* function_around(const Outline& outline, const Tokens& code, std::size_t token);

/// The tokens between the braces of a namespace with a name; others do not
/// change how a name is written.
struct Namespace {
  std::size_t open, close;
  std::string name;  // a or a::b
};
std::vector<Namespace> named_namespaces(const Tokens& code);

/// Where the token stands, as "a::b::".
std::string place(const std::vector<Namespace>& namespaces, std::size_t token);

/// May the name at token i be declared there: does it stand where a declaration has its name?
bool declares(const Tokens& code, const Function& function, std::size_t i);

/// May the name be declared in this function, as a parameter, also of a template, or a variable?
bool is_local(const Tokens& code, const Function& function, std::string_view name);

/// Is it declared there, and everywhere as a pointer (T* name, or a parameter T name[])?
bool is_local_pointer(const Tokens& code, const Function& function, std::string_view name);

using VolatileNames = std::set<std::string_view>;
/// The names that are declared volatile among the tokens [first, last).
VolatileNames volatile_names(const Tokens& code, std::size_t first, std::size_t last);

/// An operator that changes what precedes it (=, +=, <<=, ...), and ++ and --.
bool is_assignment(std::string_view sign);

/// Adds the file's functions.
void learn(const Source& source, const Outline& outline, Program& program);

}  // namespace translate
