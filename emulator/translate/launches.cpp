// Launches: kernel<<<configuration>>>(arguments) becomes EMULATED_KERNEL(kernel).configure(configuration)(arguments), in code
// and in macros. A macro may hold the configuration alone, `#define SHAPE <<<grid, block>>>`: then kernel SHAPE (a) is a
// launch.

#include <string_view>

#include "passes.h"

namespace translate {

namespace {

// The first token of the expression that ends before token `end`: a name such as kernel, ns::kernel<int, 4>,
// table[i], object.member, (*pointer) or choose(x). `end` is where the configuration begins; the expression does
// not reach before `limit`.
std::size_t kernel_begin(const Source& source, const Tokens& tokens, std::size_t limit, std::size_t end) {
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
      if (open == none || tokens.is_one_of(open - 1, "if while for switch")) break;  // if (x) (*pointer)
      first = open;
    }
    if (is_name(first - 1)) {
      --first;
      while (first >= limit + 2 && tokens.is(first - 1, "##")) first -= 2;  // kernel_##type
    }
    if (first == part_end || tokens.is(first, "<"))
      source.fail(tokens.begin(end), "there is no kernel name before <<<");

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

// The first > of the >>> that ends the configuration whose first token is `begin`.
std::size_t configuration_end(const Source& source, const Tokens& tokens, std::size_t begin) {
  for (std::size_t i = begin; i < tokens.size(); ++i) {
    if (tokens.is_triple(i, ">")) return i;
    const std::string_view t = tokens.text(i);
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

// Translates the launches among the tokens from `first` on. `macro`: whose definition they are; nullptr for code.
void translate_launches(Source& source, const Tokens& tokens, std::size_t first, const Macro* macro,
                        Program& program) {
  for (std::size_t i = first; i < tokens.size(); ++i) {
    const bool written = tokens.is_triple(i, "<") && !tokens.is(i - 1, "operator");
    const bool by_macro =
        tokens.is(i, Kind::word) && program.configuration_macros.contains(tokens.text(i)) && i > first;
    if (!written && !by_macro) continue;
    const bool alone = written && macro != nullptr && i == first;  // #define SHAPE <<<grid, block>>>
    if (alone)
      program.configuration_macros.emplace(macro->name);
    else
      source.open(tokens.begin(kernel_begin(source, tokens, first, i)), "EMULATED_KERNEL(");
    if (by_macro) {
      source.close(tokens.end(i - 1), ")");
      continue;
    }
    const std::size_t close = configuration_end(source, tokens, i + 3), after = close + 3;
    source.replace(tokens.begin(i), tokens.end(i + 2), alone ? ".configure(" : ").configure(");
    source.replace(tokens.begin(close), tokens.end(close + 2), ")");
    // Arguments may come from a macro, or follow one.
    if (!tokens.is(after, "(") && !tokens.is(after, Kind::word) &&
        (macro == nullptr || after < tokens.size()))
      source.fail(tokens.begin(close), "the kernel's arguments in parentheses must follow >>>");
    i += 2;
  }
}

}  // namespace

void translate_launches(Source& source, const Outline&, Program& program) {
  for (const Macro& macro : source.macros())
    translate_launches(source, macro.line, macro.body, &macro, program);
  translate_launches(source, source.code(), 0, nullptr, program);
}

}  // namespace translate
