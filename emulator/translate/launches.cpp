// Launches: kernel<<<configuration>>>(arguments) becomes
// EMULATED_KERNEL(kernel).configure(configuration)(arguments), in code and in
// macros. A macro may hold the configuration alone, `#define SHAPE <<<grid,
// block>>>`: then kernel SHAPE (a) is a launch.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "declarators.h"
#include "passes.h"

namespace translate {

namespace {

// The first token of the expression that ends before token `end`: a name such as kernel,
// ns::kernel<int, 4>, table[i], object.member, (*pointer) or choose(x). `end` is where the
// configuration begins; the expression does not reach before `limit`.
std::size_t kernel_begin(const Source& source, const Tokens& tokens, std::size_t limit,
                         std::size_t end) {
  const auto is_name = [&](std::size_t i) {
    return i >= limit && tokens.is(i, Kind::word) &&
           !tokens.is_one_of(i, "if while for switch return else do co_return");
  };
  std::size_t first = end;
  for (;;) {
    // One part of the name, from its end: arguments and subscripts, then the word before them.
    const std::size_t part_end = first;
    while (first > limit && tokens.is_one_of(first - 1, ") ] >")) {
      const bool angle = tokens.is(first - 1, ">");
      const std::size_t open = angle ? tokens.template_begin(first - 1) : tokens.partner(first - 1);
      if (open == none || tokens.is_one_of(open - 1, "if while for switch"))
        break;  // if (x) (*pointer)
      first = open;
    }
    if (is_name(first - 1)) {
      --first;
      while (first >= limit + 2 && tokens.is(first - 1, "##")) first -= 2;  // kernel_##type
    }
    if (first == part_end || tokens.is(first, "<"))
      source.fail(tokens.begin(end),
                  "a kernel's name must precede <<<; an expression needs parentheses around it");

    // Another part before it?
    if (first <= limit) return first;
    std::size_t joint = first - 1;
    if (tokens.is(joint, "template")) --joint;  // Type::template kernel<3>
    if (!tokens.is_one_of(joint, ":: -> .")) return first;
    if (tokens.is(joint, "::") && !is_name(joint - 1) && !tokens.is(joint - 1, ">"))
      return joint;  // ::kernel
    first = joint;
  }
}

// Where a configuration ends: the tokens [first, after) are its >>>, or a macro for it.
struct End {
  std::size_t first, after;
};

// The end of the configuration whose first token is `begin`.
End configuration_end(const Source& source, const Tokens& tokens, std::size_t begin,
                      const Program& program) {
  for (std::size_t i = begin; i < tokens.size(); ++i) {
    if (tokens.is_triple(i, ">")) return {i, i + 3};
    const std::string_view t = tokens.text(i);
    if (program.closing_macros.contains(t)) return {i, i + 1};
    if (one_of(t, "( [ {")) {
      i = tokens.partner(i);
      if (i == none) break;
    } else if (t == "<" && i > begin && tokens.is(i - 1, Kind::word)) {
      const std::size_t end = tokens.template_end(i);  // shape<A<B<int>>>(n) ends no launch
      if (end != none) i = end;
    } else if (one_of(t, ") ] } ;")) {
      break;
    }
  }
  source.fail(tokens.begin(begin - 1), "this <<< has no >>>");
}

// A launch names grid and block, and perhaps bytes of shared memory and a stream. A macro among
// them may be several.
void check_configuration(Source& source, const Tokens& tokens, std::size_t first,
                         std::size_t last) {
  const std::size_t values = parts(tokens, first, last).size();
  if (values == 0 || values > 4)
    source.refuse(
        tokens.begin(first),
        joined({"there must be one to four values between <<< and >>>, not ",
                std::to_string(values), ": grid, block, bytes of shared memory, stream"}));
}

std::string arguments_text(std::size_t n) {
  return std::to_string(n) + (n == 1 ? " argument" : " arguments");
}

// Is the function at token `kernel`, a bare name, a kernel, and does it take as many arguments as
// the parentheses `open` hold? Only where the name has one meaning.
void check_launch(Source& source, const Outline& outline, std::size_t kernel, std::size_t open,
                  const Program& program) {
  const Tokens& code = source.code();
  const auto sides = program.functions.find(code.text(kernel));
  const Function* const around = function_around(outline, code, kernel);
  if (sides == program.functions.end() || around == nullptr || around->member ||
      is_local(code, *around, sides->first) || program.members.contains(sides->first))
    return;
  if (sides->second == side_host || sides->second == side_device) {
    source.refuse(
        code.begin(kernel),
        joined({sides->first, " is not a kernel: only a __global__ function can be launched"}));
    return;
  }
  const auto known = program.kernels.find(sides->first);
  if (sides->second != side_global || known == program.kernels.end() || !code.is(open, "(") ||
      code.partner(open) == none)
    return;
  const std::vector<Parameters>& declared = known->second;
  std::size_t least = declared[0].least;
  for (const Parameters& each : declared) {
    if (!each.counted || each.most != declared[0].most) return;
    least = std::min(least, each.least);
  }
  for (std::size_t i = open; i < code.partner(open); ++i)  // a macro may be several arguments
    if (program.macro_sides.contains(code.text(i)) ||
        program.function_macros.contains(code.text(i)) || code.is_one_of(i, "...") ||
        (side_of(code.text(i), program) & side_unknown) != 0)
      return;
  const std::size_t given = parts(code, open + 1, code.partner(open)).size();
  if (least <= given && given <= declared[0].most) return;
  source.refuse(code.begin(kernel),
                joined({"kernel ", known->first, "(", declared[0].text, ") takes ",
                        arguments_text(given < least ? least : declared[0].most), ", not ",
                        std::to_string(given)}));
}

// Translates the launches among the tokens from `first` on. `macro`: whose
// definition they are; nullptr for code.
void translate_launches(Source& source, const Outline& outline, const Tokens& tokens,
                        std::size_t first, const Macro* macro, Program& program) {
  for (std::size_t i = first; i < tokens.size(); ++i) {
    const bool written = tokens.is_triple(i, "<") && !tokens.is(i - 1, "operator");
    const bool word = tokens.is(i, Kind::word) && i > first;
    const bool by_macro = word && program.configuration_macros.contains(tokens.text(i));
    const bool opened_by_macro = word && program.opening_macros.contains(tokens.text(i));
    if (!written && !by_macro && !opened_by_macro) continue;
    const bool alone =
        written && macro != nullptr && i == first;  // #define SHAPE <<<grid, block>>>
    const std::size_t kernel = alone ? none : kernel_begin(source, tokens, first, i);
    if (alone)
      program.configuration_macros.emplace(macro->name);
    else
      source.open(tokens.begin(kernel), "EMULATED_KERNEL(");
    if (by_macro) {
      source.close(tokens.end(i - 1), ")");
      continue;
    }
    const std::size_t values = opened_by_macro ? i + 1 : i + 3;
    const End end = configuration_end(source, tokens, values, program);
    check_configuration(source, tokens, values, end.first);
    if (opened_by_macro)
      source.close(tokens.end(i - 1), ")");
    else
      source.replace(tokens.begin(i), tokens.end(i + 2), alone ? ".configure(" : ").configure(");
    if (tokens.is(end.first, ">"))
      source.replace(tokens.begin(end.first), tokens.end(end.after - 1), ")");
    // Arguments may come from a macro, or follow one.
    if (!tokens.is(end.after, "(") && !tokens.is(end.after, Kind::word) &&
        (macro == nullptr || end.after < tokens.size()))
      source.fail(tokens.begin(end.first), "the kernel's arguments in parentheses must follow >>>");
    if (macro == nullptr && kernel == i - 1)
      check_launch(source, outline, kernel, end.after, program);
    i = values - 1;
  }
}

// #define OPEN <<< or #define CLOSE >>>, and nothing more.
bool is_sign_of_launch(Source& source, const Macro& macro, Program& program) {
  const Tokens& line = macro.line;
  if (macro.has_parameters || line.size() != macro.body + 3) return false;
  const bool opens = line.is_triple(macro.body, "<");
  if (!opens && !line.is_triple(macro.body, ">")) return false;
  (opens ? program.opening_macros : program.closing_macros).emplace(macro.name);
  source.replace(line.begin(macro.body), line.end(macro.body + 2), opens ? ".configure(" : ")");
  return true;
}

}  // namespace

void translate_launches(Source& source, const Outline& outline, Program& program) {
  for (const Macro& macro : source.macros())
    if (!is_sign_of_launch(source, macro, program))
      translate_launches(source, outline, macro.line, macro.body, &macro, program);
  translate_launches(source, outline, source.code(), 0, nullptr, program);
}

}  // namespace translate
