// Declarations of shared memory. extern __shared__ T name[]; becomes a reference to the block's
// dynamic shared memory; one at namespace scope moves into the functions of the device that use it.
// Elsewhere __shared__ is a macro (emulated/qualifiers.h), and only a `static` that would be there
// twice goes. An initialized variable is an error, as with nvcc.

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "declarators.h"
#include "passes.h"

namespace translate {

namespace {

// A declaration with __shared__: tokens [first, end], the last of which is the semicolon.
struct SharedDeclaration {
  std::size_t first, end;
  bool is_extern = false;
  bool is_dynamic =
      false;  // extern, and an array without a size: with one nvcc takes it for a static one
};

// The declaration around the token __shared__; `limit` is where the text
// begins that may belong to it.
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
  // Not the brackets of an attribute.
  std::size_t size = found.first;
  while (size < found.end && (!tokens.is(size, "[") || tokens.is(size + 1, "[")))
    size = tokens.past_brackets(size) + 1;
  found.is_dynamic = found.is_extern && tokens.is(size + 1, "]");
  return found;
}

// extern __shared__ type name[dimensions]; and what is written instead.
struct DynamicArray {
  std::string name, statement, type;
};

DynamicArray parse(const Source& source, const Tokens& tokens,
                   const SharedDeclaration& declaration) {
  std::size_t i = declaration.first;  // at the end: after the name
  while (i < declaration.end && (!tokens.is(i, "[") || tokens.is(i + 1, "[")))
    i = tokens.past_brackets(i) + 1;
  const std::string name(tokens.text(i - 1));
  std::string type;
  bool wrong = !tokens.is(i - 1, Kind::word);
  int angles = 0;
  for (std::size_t k = declaration.first; k + 1 < i; ++k) {
    const std::string_view t = tokens.text(k);
    if (one_of(t, "extern static __shared__")) continue;
    if (t == "[" || (is_alignment(t) && tokens.is(k + 1, "("))) {
      k = tokens.past_brackets(t == "[" ? k : k + 1);
      continue;
    }
    wrong |= one_of(t, "( = {") || (t == "," && angles == 0);
    if (t == "<") ++angles;
    if (t == ">") --angles;
    type += joined({!type.empty() && !tokens.touches_previous(k) ? " " : "", t});
  }
  const std::string_view dimensions =
      tokens.between(i + 2, declaration.end);  // after the empty brackets
  for (; i < declaration.end && !wrong; ++i) {
    wrong = !tokens.is(i, "[") || tokens.partner(i) == none;
    i = tokens.partner(i);
  }
  if (wrong || type.empty())
    source.fail(tokens.begin(declaration.first),
                "dynamic shared memory must be declared as `extern __shared__ type name[];`, one "
                "name at a time");
  return {name,
          joined({"[[maybe_unused]] auto& ", name, " = ::emulated::dynamic_shared<", type,
                  dimensions, ">();"}),
          type};
}

// A type of C++ or CUDA with one spelling; empty for others, which may be
// another name for one of these.
std::string plain_type(std::string_view type) {
  if (type.starts_with("volatile ")) {
    const std::string plain = plain_type(type.substr(9));
    return plain.empty() ? "" : "volatile " + plain;
  }
  static constexpr std::string_view known =
      "bool char short int long float double int2 int3 int4 uint2 uint3 uint4 float2 float3 float4 "
      "double2 uchar4";
  if (type == "unsigned") return "unsigned int";
  const std::string_view after = type.starts_with("unsigned ") ? type.substr(9) : type;
  return one_of(after, known) ? std::string(type) : "";
}

// nvcc: all functions of a namespace mean one array by a name. Each instance of a
// template may have a type of its own.
void check_type(Source& source, const Outline& outline, std::size_t shared,
                const DynamicArray& array, Program& program) {
  const Tokens& code = source.code();
  const Function* const function = function_around(outline, code, shared);
  if ((function != nullptr && (function->member || code.is(function->head, "template"))) ||
      plain_type(array.type).empty())
    return;
  const std::string name = place(named_namespaces(code), shared) + array.name;
  const std::size_t position = code.begin(shared);
  const auto [first, fresh] = program.dynamic_types.emplace(
      name, std::pair(plain_type(array.type), joined({source.path().filename().string(), ":",
                                                      std::to_string(source.line(position))})));
  if (fresh && source.is_conditional(position))
    program.dynamic_types.erase(first);  // perhaps of other code
  if (fresh || first->second.first == plain_type(array.type)) return;
  source.refuse(position,
                joined({"dynamic shared memory ", array.name, " is of type ", array.type,
                        " here and of type ", first->second.first, " in ", first->second.second,
                        ": a name has one type in all kernels of a file; use two names"}));
}

void check_not_initialized(const Source& source, const Tokens& tokens,
                           const SharedDeclaration& declaration) {
  for (std::size_t i = declaration.first; i < declaration.end; ++i) {
    const std::string_view t = tokens.text(i);
    const bool braces = t == "{" && i > declaration.first && tokens.is(i - 1, Kind::word);
    if (t == "=" || (braces && !begins_type(tokens, i)))
      source.fail(
          tokens.begin(declaration.first),
          "a __shared__ variable cannot be initialized: let a thread write to it, then call "
          "__syncthreads()");
    i = tokens.past_brackets(i);
  }
}

// Two arrays of one kernel begin at the same byte, which many do not expect.
void warn_of_overlap(Source& source, std::size_t position, const std::string& first,
                     const std::string& second) {
  if (first == second || source.is_conditional(position)) return;
  constexpr std::string_view why =
      " begin at the same byte: all dynamic shared memory of a kernel is one array; a second one "
      "after it is a pointer, ";
  source.warn(position, joined({second, " and ", first, why, first, " + n"}));
}

// The brace that opens the block around a token.
std::size_t opening_brace(const Tokens& code, std::size_t token) {
  while (token-- > 0) {
    if (code.is(token, "{")) return token;
    if (code.is(token, "}") && code.partner(token) != none) token = code.partner(token);
  }
  return none;
}

// At namespace scope there is no block whose memory the name could mean: the declaration goes into
// each function that uses the name and has no variable of its own called so.
void declare_in_functions(Source& source, const Outline& outline, const Program& program) {
  if (program.dynamic_arrays.empty()) return;
  const Tokens& code = source.code();
  for (const Function& function : outline.functions) {
    if (function.body == none || !function.in_kernel()) continue;
    std::string first;
    for (const auto& [name, statement] : program.dynamic_arrays) {
      bool used = false;
      for (std::size_t i = function.body; i < code.partner(function.body); ++i)
        used |= code.is(i, name) && !code.is_one_of(i - 1, ". -> ::");
      if (!used || is_local(code, function, name)) continue;
      source.close(code.end(function.body), " " + statement);
      if (first.empty())
        first = name;
      else
        warn_of_overlap(source, code.begin(function.name_at), first, name);
    }
  }
}

void translate_static(Source& source, const Tokens& tokens, const SharedDeclaration& declaration) {
  check_not_initialized(source, tokens, declaration);
  for (std::size_t i = declaration.first; i < declaration.end; ++i) {
    if (tokens.is_one_of(i, "static extern")) source.replace(tokens.begin(i), tokens.end(i), "");
    // g++ requires alignas in front of what __shared__ stands for.
    const std::size_t close = tokens.is(i, "alignas") ? tokens.partner(i + 1) : none;
    if (close == none || i == declaration.first) continue;
    std::string text(tokens.between(i, close + 1));
    std::replace(text.begin(), text.end(), '\n', ' ');
    source.open(tokens.begin(declaration.first), text + " ");
    source.replace(tokens.begin(i), tokens.end(close), "");
  }
}

// All declarations among the tokens from `first` on; `outline` is that of
// the file, or nullptr for a macro.
void translate_declarations(Source& source, const Tokens& tokens, std::size_t first,
                            const Outline* outline, Program& program) {
  // by its brace: the dynamic array declared first
  std::map<std::size_t, std::string> first_of_block;
  for (std::size_t i = first; i < tokens.size(); ++i) {
    if (!tokens.is(i, "__shared__")) continue;
    const SharedDeclaration declaration =
        whole_declaration(source, tokens, i, first, outline == nullptr);
    const bool ended = tokens.is(declaration.end, ";");
    const std::size_t shared = i;
    i = declaration.end;
    if (!ended && declaration.end <= shared + 2) continue;  // #define SHARED __shared__
    if (!declaration.is_dynamic) {
      if (declaration.is_extern && outline != nullptr)
        source.warn(
            tokens.begin(shared),
            "this is not dynamic shared memory, which is declared without a size: extern is "
            "ignored");
      translate_static(source, tokens, declaration);
      continue;
    }
    DynamicArray array = parse(source, tokens, declaration);
    if (outline != nullptr) check_type(source, *outline, shared, array, program);
    if (!ended) array.statement.pop_back();  // a macro without the semicolon
    const bool at_namespace_scope =
        outline != nullptr && function_around(*outline, tokens, shared) == nullptr &&
        std::any_of(outline->declarations.begin(), outline->declarations.end(),
                    [&](const Declaration& d) { return d.last == declaration.end; });
    if (outline != nullptr && !at_namespace_scope) {
      const auto [other, fresh] = first_of_block.emplace(opening_brace(tokens, shared), array.name);
      if (!fresh) warn_of_overlap(source, tokens.begin(shared), other->second, array.name);
    }
    if (at_namespace_scope) program.dynamic_arrays[array.name] = std::exchange(array.statement, "");
    source.replace(tokens.begin(declaration.first),
                   tokens.end(ended ? declaration.end : declaration.end - 1), array.statement);
  }
}

}  // namespace

void translate_shared_memory(Source& source, const Outline& outline, Program& program) {
  translate_declarations(source, source.code(), 0, &outline, program);
  declare_in_functions(source, outline, program);
  for (const Macro& macro : source.macros())
    translate_declarations(source, macro.line, macro.body, nullptr, program);
}

}  // namespace translate
