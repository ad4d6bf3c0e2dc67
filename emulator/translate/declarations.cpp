// Passes to the runtime what a GPU learns from a compiled program: launch bounds, a kernel's static
// shared memory, which variables are the device's, in its functions, too. The calls
// (emulated/declarations.h) follow the declarations of shared memory and of static variables, at
// the beginning of kernels and after the variables of the device.

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "declarators.h"
#include "passes.h"

namespace translate {

namespace {

// ---- kernels ----
// The template parameters' names, as arguments: "T, N, Types...". Ends at
// the first one without a name.
std::string template_arguments(const Tokens& code, const Function& function) {
  const std::size_t after = code.after_angles(function.head + 1, function.parameters);
  std::string arguments;
  if (after == none) return arguments;
  for (const Part& part : parts(code, function.head + 2, after - 1)) {
    const std::size_t last = code.find(part.first, part.last, "=");
    const bool pack = code.find(part.first, last, "...") < last;
    const bool named =
        last >= part.first + 2 && code.is(last - 1, Kind::word) && !code.is(last - 2, "::");
    if (!named) break;
    arguments +=
        (arguments.empty() ? "" : ", ") + std::string(code.text(last - 1)) + (pack ? "..." : "");
  }
  return arguments;
}

// The kernel's name within its own body, with which the compiler finds its address where it is the
// only one of that name; "nullptr" where it has none.
std::string name_of(const Tokens& code, const Function& function) {
  if (function.member || function.name == "operator") return "nullptr";
  std::string name(code.between(function.name_at, function.parameters));
  if (is_local(code, function, function.name))  // a parameter is called as its kernel
    name = "::" + place(named_namespaces(code), function.name_at) + name;
  const bool is_template = code.is(function.head, "template") && !code.is(function.head + 2, ">");
  const std::string arguments = is_template ? template_arguments(code, function) : "";
  return arguments.empty() ? name : name + "<" + arguments + ">";
}

void note_kernels(Source& source, const Outline& outline) {
  const Tokens& code = source.code();
  for (const Function& function : outline.functions) {
    if ((function.side & side_global) == 0 || function.body == none) continue;
    for (std::size_t i = function.head; i < function.parameters; ++i) {
      if (!code.is(i, "__launch_bounds__") || !code.is(i + 1, "(") || code.partner(i + 1) == none)
        continue;
      const std::vector<Part> arguments = parts(code, i + 2, code.partner(i + 1));
      if (arguments.empty()) continue;
      const std::string_view threads = code.between(arguments[0].first, arguments[0].last);
      source.close(code.end(function.body), joined({" EMULATED_NOTE_KERNEL((", threads, "), ",
                                                    name_of(code, function), ");"}));
    }
  }
}

// ---- shared memory ----
// extern, and without a size.
bool is_dynamic(const Tokens& tokens, std::size_t shared) {
  const std::size_t end = tokens.find(shared, tokens.size(), ";");
  bool is_extern = tokens.find(shared, end, "extern") < end;
  for (std::size_t i = shared; i-- > 0 && !tokens.is_one_of(i, "; { }");)
    is_extern |= tokens.is(i, "extern");
  std::size_t size = shared;
  while (size < end && (!tokens.is(size, "[") || tokens.is(size + 1, "[")))
    size = tokens.past_brackets(size) + 1;
  return is_extern && tokens.is(size + 1, "]");
}

// After the declaration, so that each instance of a template notes its own variable.
void note_shared(Source& source, const Outline& outline) {
  const Tokens& code = source.code();
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.is(i, "__shared__") || is_dynamic(code, i)) continue;
    const Function* function = function_around(outline, code, i);
    if (function == nullptr) continue;
    // That of another function may be any kernel's.
    const bool in_kernel = (function->side & side_global) != 0;
    const std::string kernel = in_kernel ? name_of(code, *function) : "nullptr";
    const std::size_t end = code.find(i, code.size(), ";");
    std::string notes;
    for (const Part& part : parts(code, i + 1, end)) {
      const std::string name = declared_name(code, part);
      bool made = false;  // by a macro, as in NAME(a)[4]
      for (std::size_t k = part.first + 1; k < part.last; ++k)
        made |= code.is(k, "(") && code.is(k - 1, name);
      if (!name.empty() && !made)
        notes += joined({" EMULATED_NOTE_SHARED(", name, ", ", kernel, ");"});
    }
    if (!notes.empty() && end < code.size()) source.close(code.end(end), notes);
  }
}

// ---- static variables of functions ----
// Does the { open a class, whose static members are functions?
bool opens_class(const Tokens& code, std::size_t brace) {
  for (std::size_t i = brace; i-- > 0 && !code.is_one_of(i, "; { }");)
    if (code.is_one_of(i, "struct class union")) return true;
  return false;
}

// Where the statement begins which declares what is static at that token; none where it stands
// after if (x), or in parentheses.
std::size_t statement_with(const Tokens& code, std::size_t token) {
  std::size_t first = token;
  while (code.is_one_of(first - 1, "const volatile constexpr inline __device__ __constant__") ||
         code.is(first - 1, "]"))
    first = code.is(first - 1, "]") ? code.partner(first - 1) : first - 1;
  return code.is_one_of(first - 1, "; { } :") ? first : none;
}

void note_static(Source& source, std::size_t token) {
  const Tokens& code = source.code();
  const std::size_t first = statement_with(code, token);
  const std::size_t end = code.find(token, code.size(), ";");
  if (first == none || end == code.size() || code.find(first, end, "__shared__") < end) return;
  std::string notes;
  for (const Part& part : parts(code, token + 1, end))
    if (const std::string name = declared_name(code, part); !name.empty())
      notes += joined({" EMULATED_NOTE_STATIC(", name, ");"});
  if (code.find(first, end, "constexpr") == end)
    source.open(code.begin(token), "EMULATED_CONSTANT_VALUE ");
  source.close(code.end(end), notes);
}

// Not in functions for both sides: there the host also has the variable.
void note_statics(Source& source, const Outline& outline) {
  const Tokens& code = source.code();
  for (const Function& function : outline.functions) {
    if (function.body == none || !function.only_device()) continue;
    for (std::size_t i = function.body + 1; i < code.partner(function.body); ++i) {
      if (code.is(i, "{") && opens_class(code, i)) i = code.past_brackets(i);
      if (code.is(i, "static")) note_static(source, i);
    }
  }
}

// ---- variables of the device ----
constexpr unsigned spaces = side_device | side_constant | side_managed;

std::string as_name(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return text;
}

std::size_t dimensions(const Tokens& code, const Part& part) {
  std::size_t count = 0;
  for (std::size_t i = part.first; i < part.last && !code.is_one_of(i, "= {");
       i = code.past_brackets(i) + 1)
    if (code.is(i, "[") && !code.is(i + 1, "[")) ++count;
  return count;
}

// False: there is a variable of the device that is not noted.
bool note_variable(Source& source, const Declaration& declaration, Program& program) {
  const Tokens& code = source.code();
  const bool is_template = code.is(declaration.first, "template");
  bool is_extern = false;
  bool is_static = false;
  bool has_value = false;
  bool by_keyword = false;
  bool is_pointer = false;
  bool shared_with_host = false;
  unsigned sides = 0;
  for (std::size_t i = declaration.first; i < declaration.last; i = code.past_brackets(i) + 1) {
    const std::string_view t = code.text(i);
    if (one_of(t, "using typedef friend")) return true;
    has_value |= t == "=" || t == "{";
    if (t == "=") break;
    is_extern |= t == "extern";
    is_pointer |= t == "*";
    is_static |= t == "static" || t == "inline";
    shared_with_host |= one_of(t, "__managed__ const constexpr");
    by_keyword |= one_of(t, "__device__ __constant__ __managed__");
    sides |= side_of(t, program);
  }
  if ((sides & spaces) == 0 || (sides & side_host) != 0) return true;
  if (declaration.member)
    return is_static && !has_value;  // defined outside of its class, or not noted
  std::vector<std::string> names;
  for (const Part& part : parts(code, declaration.first, declaration.last)) {
    names.push_back(declared_name(code, part));
    // What a constant pointer points to may be written.
    if ((sides & side_constant) != 0 && !is_pointer)
      program.constants.emplace(names.back(), dimensions(code, part));
  }
  if (!is_template && !shared_with_host)
    program.device_variables.insert(names.begin(), names.end());
  if (is_extern && !has_value) {
    program.extern_variables.insert(names.begin(), names.end());
    return true;
  }
  if (is_template) return false;
  std::string notes;
  // The variable belongs to one file, as with nvcc, unless a declaration elsewhere says extern.
  // A macro may say static already.
  bool own_file = by_keyword && !is_static && !is_extern && !code.is(declaration.first, "[");
  for (const std::string& name : names) {
    if (name.empty()) return false;
    own_file =
        own_file && !program.extern_variables.contains(name) && name.find(':') == std::string::npos;
    std::string_view space = "device";
    if ((sides & side_managed) != 0) space = "managed";
    if ((sides & side_constant) != 0) space = "constant";
    notes += joined({" EMULATED_NOTE_VARIABLE(emulated_note_of_", as_name(name), ", ", name, ", ",
                     space, ");"});
  }
  if (own_file) source.open(code.begin(declaration.first), "static ");
  source.close(code.end(declaration.last), " namespace {" + notes + " }");
  return true;
}

void note_variables(Source& source, const Outline& outline, Program& program) {
  bool complete = true;
  for (const Declaration& declaration : outline.declarations)
    complete &= note_variable(source, declaration, program);
  for (const Macro& macro : source.macros()) {
    const Tokens& line = macro.line;
    unsigned sides = 0;
    bool whole = macro.has_parameters;
    for (std::size_t i = macro.body; i < line.size(); ++i) {
      sides |= side_of(line.text(i), program);
      whole |= line.is(i, ";") || line.is(i, "[");
    }
    const bool of_function = (sides & (side_host | side_global)) != 0;
    complete &= of_function || (sides & spaces) == 0 || !whole;  // a macro that declares variables
  }
  if (complete) return;
  const Tokens& code = source.code();
  source.close(code.end(code.size() - 1),
               joined({" namespace { const ::emulated::UnnotedVariables emulated_unnoted_in_",
                       as_name(source.path().generic_string()), "; }"}));
}

}  // namespace

void note_declarations(Source& source, const Outline& outline, Program& program) {
  note_kernels(source, outline);
  note_shared(source, outline);
  note_statics(source, outline);
  note_variables(source, outline, program);
}

}  // namespace translate
