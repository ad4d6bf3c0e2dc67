// Tells the runtime what a GPU learns from a compiled program: launch bounds, a kernel's static shared memory, which
// variables are the device's. The calls (emulated/declarations.h) follow the
// declarations of shared memory, at the beginning of kernels and behind the variables of the device.

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "passes.h"

namespace translate {

namespace {

std::string text_of(std::string_view view) { return std::string(view); }

// Parts of tokens [first, last) between commas that are in no brackets.
struct Part {
  std::size_t first, last;
};
std::vector<Part> parts(const Tokens& tokens, std::size_t first, std::size_t last) {
  std::vector<Part> found;
  int angles = 0;
  std::size_t begin = first;
  for (std::size_t i = first; i < last; ++i) {
    const std::string_view t = tokens.text(i);
    if (one_of(t, "( [ {") && tokens.partner(i) != none && tokens.partner(i) < last) {
      i = tokens.partner(i);
    } else if (t == "<" && i > first && tokens.is(i - 1, Kind::word)) {
      ++angles;
    } else if (t == ">" && angles > 0) {
      --angles;
    } else if (t == "," && angles == 0) {
      found.push_back({begin, i});
      begin = i + 1;
    }
  }
  if (begin < last) found.push_back({begin, last});
  return found;
}

// The name that a declarator declares, as it is written: tokens [first, last) hold at most one.
std::string declared_name(const Tokens& tokens, Part part) {
  std::size_t name = none;
  int angles = 0;
  for (std::size_t i = part.first; i < part.last; ++i) {
    const std::string_view t = tokens.text(i);
    if (angles == 0 && (t == "=" || t == ":")) break;
    if (angles == 0 && one_of(t, "( [ {")) {
      const std::size_t close = tokens.partner(i);
      const std::string_view before = i > part.first ? tokens.text(i - 1) : std::string_view();
      const bool attribute = t == "[" && tokens.is(i + 1, "[");
      const bool type = t == "{" && begins_type(tokens, i);
      // Also of a macro that stands for an attribute: a word follows.
      const bool of_type =
          t == "(" && (is_alignment(before) || before == "decltype" ||
                       (close != none && close + 1 < part.last && tokens.is(close + 1, Kind::word)));
      if (close == none || close >= part.last) break;
      std::size_t inner = i + 1;  // int (*name)(float), int (*name)[4], int (Type::*name)
      while (tokens.is(inner, Kind::word) && tokens.is(inner + 1, "::")) inner += 2;
      if (t == "(" && tokens.is(inner, "*")) {
        while (tokens.is(inner, "*") || tokens.is(inner, "const")) ++inner;
        return std::string(tokens.is(inner, Kind::word) ? tokens.text(inner) : "");
      }
      if (!attribute && !type && !of_type) break;  // the name precedes its size or its first value
      i = close;
      name = none;
      continue;
    }
    if (t == "<") ++angles;
    if (t == ">") --angles;
    if (angles == 0 && tokens.is(i, Kind::word)) name = i;
  }
  if (name == none) return "";
  std::size_t begin = name;  // Type::name
  while (begin >= part.first + 2 && tokens.is(begin - 1, "::") && tokens.is(begin - 2, Kind::word))
    begin -= 2;
  return text_of(tokens.between(begin, name + 1));
}

// ---- kernels ----
// The template parameters' names, as arguments: "T, N, Types...". Ends at the first one without a name.
std::string template_arguments(const Tokens& code, const Function& function) {
  const std::size_t behind = code.behind_angles(function.head + 1, function.parameters);
  std::string arguments;
  if (behind == none) return arguments;
  for (const Part& part : parts(code, function.head + 2, behind - 1)) {
    std::size_t last = part.last, pack = none;
    for (std::size_t i = part.first; i < part.last; ++i) {
      if (code.is(i, "=")) {
        last = i;
        break;
      }
      if (code.is(i, "...")) pack = i;
    }
    const bool named = last >= part.first + 2 && code.is(last - 1, Kind::word) && !code.is(last - 2, "::");
    if (!named) break;
    arguments += (arguments.empty() ? "" : ", ") + text_of(code.text(last - 1)) + (pack != none ? "..." : "");
  }
  return arguments;
}

// The kernel's name within its own body, with which the compiler finds its address where it is the only one of that name;
// "nullptr" where it has none.
std::string name_of(const Tokens& code, const Function& function) {
  if (function.member || function.name == "operator") return "nullptr";
  std::string name = text_of(code.between(function.name_at, function.parameters));
  const bool is_template = code.is(function.head, "template") && !code.is(function.head + 2, ">");
  const std::string arguments = is_template ? template_arguments(code, function) : "";
  return arguments.empty() ? name : name + "<" + arguments + ">";
}

// How many threads __launch_bounds__ allows, as an expression.
std::string launch_bound(const Tokens& code, const Function& function, const Program& program) {
  for (std::size_t i = function.head; i < function.parameters; ++i) {
    const auto macro = program.launch_bounds.find(code.text(i));
    if (macro != program.launch_bounds.end()) return macro->second;
    if (code.is(i, "__launch_bounds__") && code.is(i + 1, "(") && code.partner(i + 1) != none) {
      const std::vector<Part> arguments = parts(code, i + 2, code.partner(i + 1));
      if (!arguments.empty()) return text_of(code.between(arguments[0].first, arguments[0].last));
    }
  }
  return "";
}

void note_kernels(Source& source, const Outline& outline, const Program& program) {
  const Tokens& code = source.code();
  for (const Function& function : outline.functions) {
    if ((function.side & side_global) == 0 || function.body == none) continue;
    const std::string bound = launch_bound(code, function, program);
    if (!bound.empty())
      source.close(code.end(function.body),
                   joined({" EMULATED_NOTE_KERNEL((", bound, "), ", name_of(code, function), ");"}));
  }
}

// ---- shared memory ----
bool is_extern(const Tokens& tokens, std::size_t shared) {
  for (std::size_t i = shared; i-- > 0 && !tokens.is_one_of(i, "; { }");)
    if (tokens.is(i, "extern")) return true;
  return tokens.is(tokens.find(shared, tokens.size(), "extern ;"), "extern");
}

// Behind the declaration, so that each instance of a template notes its own variable.
void note_shared(Source& source, const Outline& outline) {
  const Tokens& code = source.code();
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.is(i, "__shared__") || is_extern(code, i)) continue;
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
      if (!name.empty() && !made) notes += joined({" EMULATED_NOTE_SHARED(", name, ", ", kernel, ");"});
    }
    if (!notes.empty() && end < code.size()) source.close(code.end(end), notes);
  }
}

// ---- variables of the device ----
enum class Space { host, device, managed, constant };

Space space_of(const Tokens& tokens, std::size_t i, const Program& program) {
  const std::string_view word = tokens.text(i);
  if (word == "__constant__") return Space::constant;
  if (word == "__device__") return Space::device;
  if (word == "__managed__") return Space::managed;
  const auto macro = program.space_macros.find(word);
  if (macro == program.space_macros.end()) return Space::host;
  return macro->second ? Space::constant : Space::device;
}

// False: there is a variable of the device that is not noted.
bool note_variable(Source& source, const Declaration& declaration, Program& program) {
  const Tokens& code = source.code();
  Space space = Space::host;
  bool is_extern = false, is_static = false, has_value = false, by_keyword = false,
       is_template = code.is(declaration.first, "template"), shared_with_host = false;
  for (std::size_t i = declaration.first; i < declaration.last; ++i) {
    const std::string_view t = code.text(i);
    if (one_of(t, "using typedef friend")) return true;
    if (t == "=") {
      has_value = true;
      break;
    }
    if ((t == "(" || t == "[") && code.partner(i) != none) i = code.partner(i);
    if (t == "{" && code.partner(i) != none) {
      has_value = true;
      i = code.partner(i);
    }
    is_extern |= t == "extern";
    is_static |= t == "static" || t == "inline";
    shared_with_host |= one_of(t, "__managed__ const constexpr");
    by_keyword |= one_of(t, "__device__ __constant__ __managed__");
    space = std::max(space, space_of(code, i, program));
  }
  if (space == Space::host) return true;
  if (declaration.member) return is_static && !has_value;  // defined outside of its class, or not noted
  if (!is_template && !shared_with_host)
    for (const Part& part : parts(code, declaration.first, declaration.last))
      program.device_variables.insert(declared_name(code, part));
  if (is_extern && !has_value) {
    for (const Part& part : parts(code, declaration.first, declaration.last))
      program.extern_variables.insert(declared_name(code, part));
    return true;
  }
  if (is_template) return false;
  std::string notes;
  // Of one file only, as with nvcc, unless a declaration elsewhere says extern.
  // A macro may say static already.
  bool own_file = by_keyword && !is_static && !is_extern && !code.is(declaration.first, "[");
  for (const Part& part : parts(code, declaration.first, declaration.last)) {
    const std::string name = declared_name(code, part);
    if (name.empty()) return false;
    own_file = own_file && !program.extern_variables.contains(name) && name.find(':') == std::string::npos;
    std::string own = "emulated_note_of_";
    for (const char c : name) own += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    notes.append(" EMULATED_NOTE_VARIABLE(").append(own).append(", ").append(name);
    notes.append(space == Space::constant  ? ", constant);"
                 : space == Space::managed ? ", managed);"
                                           : ", device);");
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
    bool host = false, device = false, whole = macro.has_parameters;
    for (std::size_t i = macro.body; i < line.size(); ++i) {
      host |= line.is(i, "__host__") || line.is(i, "__global__");
      device |= space_of(line, i, program) != Space::host;
      whole |= line.is(i, ";") || line.is(i, "[");
    }
    complete &= host || !device || !whole;  // a macro that declares variables
  }
  if (complete) return;
  std::string own = "emulated_unnoted_in_";
  for (const char c : source.path().generic_string())
    own += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  const Tokens& code = source.code();
  source.close(code.end(code.size() - 1), " namespace { const ::emulated::UnnotedVariables " + own + "; }");
}

// Which macros say __launch_bounds__, __device__ or __constant__, in this file and in those read after it.
void learn_macros(const Source& source, Program& program) {
  for (const Macro& macro : source.macros()) {
    const Tokens& line = macro.line;
    const std::string name(macro.name);
    bool host = false;
    Space space = Space::host;
    for (std::size_t i = macro.body; i < line.size(); ++i) {
      host |= line.is(i, "__host__");
      space = std::max(space, space_of(line, i, program));
      if (line.is(i, "__launch_bounds__") && line.is(i + 1, "(") && line.partner(i + 1) != none &&
          !macro.has_parameters) {
        const std::vector<Part> arguments = parts(line, i + 2, line.partner(i + 1));
        if (!arguments.empty())
          program.launch_bounds[name] = line.between(arguments[0].first, arguments[0].last);
      }
    }
    if (space != Space::host && !host && !macro.has_parameters)
      program.space_macros[name] = space == Space::constant;
  }
}

}  // namespace

void note_declarations(Source& source, const Outline& outline, Program& program) {
  learn_macros(source, program);
  note_kernels(source, outline, program);
  note_shared(source, outline);
  note_variables(source, outline, program);
}

}  // namespace translate
