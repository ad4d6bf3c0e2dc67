// Declarations of shared memory. extern __shared__ T name[]; becomes a reference to the block's dynamic shared memory; one at
// namespace scope moves into the functions of the device that use it. Elsewhere __shared__ is a macro
// (emulated/qualifiers.h), and only a `static` that would be there twice goes. An initialized variable is an error, as with
// nvcc.

#include <algorithm>
#include <string>
#include <string_view>

#include "passes.h"

namespace translate {

namespace {

// A declaration with __shared__: tokens [first, end], the last of which is the semicolon.
struct SharedDeclaration {
  std::size_t first, end;
  bool is_extern = false;
};

// The declaration around the token __shared__; `limit` is where the text begins that may belong to it.
SharedDeclaration whole_declaration(const Source& source, const Tokens& tokens, std::size_t shared,
                                    std::size_t limit, bool is_macro) {
  SharedDeclaration found{shared, shared};
  for (std::size_t i = shared; i-- > limit;) {
    if (tokens.is(i, ")") || tokens.is(i, "]")) {  // __align__(16), [[maybe_unused]]
      const std::size_t open = tokens.partner(i);
      if (open == none || open < limit) break;
      if (tokens.is(i, ")") && !(open > limit && is_alignment(tokens.text(open - 1)))) break;
      i = open;
    } else if ((!tokens.is(i, Kind::word) && !tokens.is(i, "::")) || tokens.is(i, "else") ||
               tokens.is(i, "do")) {
      break;
    }
    found.first = i;
  }
  found.end = tokens.find(shared, tokens.size(), ";");
  if (found.end == tokens.size() && !is_macro)
    source.fail(tokens.begin(shared), "this declaration has no end");
  for (std::size_t i = found.first; i < found.end; ++i) found.is_extern |= tokens.is(i, "extern");
  return found;
}

// The parts of `extern __shared__ type name[dimensions];`
struct DynamicArray {
  std::string type, name, dimensions;  // without the first pair of brackets, when that is empty
  bool sized = false;                  // is the first dimension given, or none at all?
  std::string statement() const {
    return "[[maybe_unused]] auto& " + name + " = ::emulated::dynamic_shared" + (sized ? "_object<" : "<") +
           type + dimensions + ">();";
  }
};

DynamicArray parse(const Source& source, const Tokens& tokens, const SharedDeclaration& declaration) {
  const auto wrong = [&] {
    source.fail(tokens.begin(declaration.first),
                "dynamic shared memory must be declared as `extern __shared__ type name[];`, one name at a "
                "time");
  };
  DynamicArray array;
  std::size_t name = none, dimensions = declaration.end;
  int angles = 0;
  for (std::size_t i = declaration.first; i < declaration.end; ++i) {
    const std::string_view t = tokens.text(i);
    if (is_alignment(tokens.text(i)) && tokens.partner(i + 1) != none) {
      i = tokens.partner(i + 1);
    } else if (t == "[" && tokens.is(i + 1, "[") && tokens.partner(i) != none) {
      i = tokens.partner(i);  // an attribute
    } else if (t == "[") {
      dimensions = i;
      break;
    } else if (one_of(t, "( = {") || (t == "," && angles == 0)) {
      wrong();
    } else if (tokens.is(i, Kind::word) && angles == 0) {
      name = i;
    }
    angles += t == "<" ? 1 : t == ">" ? -1 : 0;
  }
  if (name == none || name + 1 != dimensions) wrong();
  array.name = tokens.text(name);
  bool gap = false;
  for (std::size_t i = declaration.first; i < name; ++i) {
    if (is_alignment(tokens.text(i)) || (tokens.is(i, "[") && tokens.is(i + 1, "["))) {
      const std::size_t close = tokens.partner(tokens.is(i, "[") ? i : i + 1);
      if (close != none) i = close;
      gap = true;
      continue;
    }
    if (tokens.is_one_of(i, "extern static __shared__")) {
      gap = true;
      continue;
    }
    if (!array.type.empty() && (gap || !tokens.touches_previous(i))) array.type += ' ';
    array.type += tokens.text(i);
    gap = false;
  }
  if (array.type.empty()) wrong();
  array.sized = !(tokens.is(dimensions, "[") && tokens.is(dimensions + 1, "]"));
  for (std::size_t i = dimensions; i < declaration.end; ++i) {
    if (!tokens.is(i, "[") || tokens.partner(i) == none) wrong();
    const std::size_t close = tokens.partner(i);
    if (i > dimensions || array.sized)
      for (; i <= close; ++i) {
        if (!tokens.touches_previous(i) && !tokens.is(i, "[")) array.dimensions += ' ';
        array.dimensions += tokens.text(i);
      }
    i = close;
  }
  return array;
}

void check_not_initialized(const Source& source, const Tokens& tokens, const SharedDeclaration& declaration) {
  for (std::size_t i = declaration.first; i < declaration.end; ++i) {
    const std::string_view t = tokens.text(i);
    const bool braces = t == "{" && i > declaration.first && tokens.is(i - 1, Kind::word);
    if (t == "=" || (braces && !begins_type(tokens, i)))
      source.fail(tokens.begin(declaration.first),
                  "a __shared__ variable cannot be initialized: let a thread write to it, then call "
                  "__syncthreads()");
    i = tokens.past_brackets(i);
  }
}

// At namespace scope there is no block whose memory the name could mean: the declaration goes into each
// function that uses the name and has no variable of its own called so.
void declare_in_functions(Source& source, const Outline& outline, const Program& program) {
  if (program.dynamic_arrays.empty()) return;
  const Tokens& code = source.code();
  for (const Function& function : outline.functions) {
    if (function.body == none || !function.in_kernel()) continue;
    for (const auto& [name, statement] : program.dynamic_arrays) {
      bool used = false, own = false;
      for (std::size_t i = function.parameters; i < code.partner(function.body); ++i) {
        if (!code.is(i, name) || code.is_one_of(i - 1, ". -> ::")) continue;
        const bool declared =
            code.is(i - 1, Kind::word) && !code.is(i - 1, "return") && !code.is(i - 1, "else");
        own |= declared || i < function.body;
        used = true;
      }
      if (used && !own) source.close(code.end(function.body), " " + statement);
    }
  }
}

void translate_declaration(Source& source, const Tokens& tokens, const SharedDeclaration& declaration,
                           std::string* namespace_scope, std::string* name) {
  const bool ended = tokens.is(declaration.end, ";");
  if (!declaration.is_extern) {
    check_not_initialized(source, tokens, declaration);
    for (std::size_t i = declaration.first; i < declaration.end; ++i) {
      if (tokens.is(i, "static")) source.replace(tokens.begin(i), tokens.end(i), "");
      // g++ requires alignas in front of what __shared__ stands for.
      const std::size_t close = tokens.is(i, "alignas") ? tokens.partner(i + 1) : none;
      if (close == none || i == declaration.first) continue;
      std::string text(tokens.between(i, close + 1));
      const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
      std::replace(text.begin(), text.end(), '\n', ' ');
      source.open(tokens.begin(declaration.first), text + " ");
      source.replace(tokens.begin(i), tokens.end(close), std::string(lines, '\n'));
    }
    return;
  }
  const DynamicArray array = parse(source, tokens, declaration);
  std::string text = array.statement();
  const std::size_t end = ended ? tokens.end(declaration.end) : tokens.end(declaration.end - 1);
  if (!ended) text.pop_back();  // a macro without the semicolon
  if (namespace_scope != nullptr) {
    *namespace_scope = text;
    *name = array.name;
    text.clear();
  }
  source.replace(tokens.begin(declaration.first), end, text);
}

}  // namespace

void translate_shared_memory(Source& source, const Outline& outline, Program& program) {
  const Tokens& code = source.code();
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.is(i, "__shared__")) continue;
    const SharedDeclaration declaration = whole_declaration(source, code, i, 0, false);
    std::string statement, name;
    const bool in_function = function_around(outline, code, i) != nullptr;
    const bool at_namespace_scope =
        !in_function && std::any_of(outline.declarations.begin(), outline.declarations.end(),
                                    [&](const Declaration& d) { return d.last == declaration.end; });
    if (declaration.is_extern && at_namespace_scope) {
      translate_declaration(source, code, declaration, &statement, &name);
      program.dynamic_arrays[name] = statement;
    } else {
      translate_declaration(source, code, declaration, nullptr, nullptr);
    }
    i = declaration.end;
  }
  declare_in_functions(source, outline, program);
  for (const Macro& macro : source.macros()) {
    const Tokens& line = macro.line;
    for (std::size_t i = macro.body; i < line.size(); ++i) {
      if (!line.is(i, "__shared__")) continue;
      const SharedDeclaration declaration = whole_declaration(source, line, i, macro.body, true);
      // `#define SHARED __shared__` is no declaration.
      if (line.is(declaration.end, ";") || declaration.end > i + 2)
        translate_declaration(source, line, declaration, nullptr, nullptr);
      i = declaration.end;
    }
  }
}

}  // namespace translate
