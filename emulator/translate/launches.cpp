// Launches: kernel<<<configuration>>>(arguments) becomes EMULATED_KERNEL(kernel).configure(configuration)(arguments), in code
// and in macros. A macro may hold the configuration alone, `#define SHAPE <<<grid, block>>>`: then kernel SHAPE (a) is a
// launch.

#include <algorithm>
#include <string_view>

#include "passes.h"

namespace translate {

namespace {

using Names = std::set<std::string, std::less<>>;

bool is_statement_keyword(std::string_view word) {
  return one_of(word, "if while for switch return else do co_return");
}

// The first token of the expression that ends before token `end`: a name such as kernel, ns::kernel<int, 4>,
// table[i], object.member, (*pointer) or choose(x). `end` is where the configuration begins; the expression does
// not reach before `limit`.
std::size_t kernel_begin(const Source& source, const Tokens& tokens, std::size_t limit, std::size_t end) {
  std::size_t i = end - 1;  // the last token not yet taken
  for (;;) {
    // One part of the name, from its end: arguments and subscripts, then the word before them.
    std::size_t outermost = none, inner = none;  // where the first group and the one behind it begin
    bool any = false;
    for (; i != none && i >= limit; any = true) {
      if (tokens.is(i, ")") || tokens.is(i, "]")) {
        inner = outermost;
        outermost = tokens.partner(i);
        if (outermost == none)
          source.fail(tokens.begin(i), "this bracket before the launch's <<< has no partner");
      } else if (tokens.is(i, ">")) {
        outermost = tokens.template_begin(i);
        if (outermost == none)
          source.fail(tokens.begin(i), "the template arguments before <<< have no beginning");
      } else {
        break;
      }
      i = outermost - 1;
    }
    const bool word = i != none && i >= limit && tokens.is(i, Kind::word);
    const bool keyword = word && is_statement_keyword(tokens.text(i));
    std::size_t first;
    if (word && !keyword) {
      first = i;
      while (first >= limit + 2 && tokens.is(first - 1, "##")) first -= 2;  // kernel_##type
    } else if (any && keyword && !tokens.is_one_of(i, "return else do")) {
      first = inner;  // if (condition) (*pointer)
    } else {
      first = any ? outermost : none;  // a parenthesised expression
    }
    if (first == none || tokens.is(first, "<"))
      source.fail(tokens.begin(end), "there is no kernel name before <<<");

    // Another part before it?
    if (first <= limit) return first;
    std::size_t joint = first - 1;
    if (tokens.is(joint, "template")) --joint;  // Type::template kernel<3>
    if (tokens.is(joint, "::")) {
      const bool qualified =
          (tokens.is(joint - 1, Kind::word) && !is_statement_keyword(tokens.text(joint - 1))) ||
          tokens.is(joint - 1, ">");
      if (!qualified) return joint;  // ::kernel
    } else if (!tokens.is(joint, "->") && !tokens.is(joint, ".")) {
      return first;
    }
    i = joint - 1;
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

// Translates <<<configuration>>> whose first < is token `open`. Returns the token behind it.
std::size_t translate_configuration(Source& source, const Tokens& tokens, std::size_t open,
                                    const char* configure) {
  const std::size_t close = configuration_end(source, tokens, open + 3);
  source.replace(tokens.begin(open), tokens.end(open + 2), configure);
  source.replace(tokens.begin(close), tokens.end(close + 2), ")");
  return close + 3;
}

bool begins_launch(const Tokens& tokens, std::size_t i) {
  return tokens.is_triple(i, "<") && !tokens.is(i - 1, "operator");
}

bool is_configuration(const Macro& macro) { return macro.line.is_triple(macro.body, "<"); }

void translate_launches(Source& source, const Tokens& tokens, std::size_t first, bool is_macro,
                        const Names& configurations) {
  for (std::size_t i = first; i < tokens.size(); ++i) {
    if (begins_launch(tokens, i)) {
      const std::size_t name = kernel_begin(source, tokens, first, i);
      source.open(tokens.begin(name), "EMULATED_KERNEL(");
      const std::size_t after = translate_configuration(source, tokens, i, ").configure(");
      // Arguments may come from a macro, or follow one.
      if (!tokens.is(after, "(") && !tokens.is(after, Kind::word) && !(is_macro && after >= tokens.size()))
        source.fail(tokens.begin(after - 3), "the kernel's arguments in parentheses must follow >>>");
      i += 2;
    } else if (tokens.is(i, Kind::word) && configurations.contains(tokens.text(i)) && i > first) {
      const std::size_t name = kernel_begin(source, tokens, first, i);
      source.open(tokens.begin(name), "EMULATED_KERNEL(");
      source.close(tokens.end(i - 1), ")");
    }
  }
}

// The names of such macros, whose definitions are translated.
void translate_configuration_macros(Source& source, Names& names) {
  for (const Macro& macro : source.macros()) {
    if (!is_configuration(macro)) continue;
    names.emplace(macro.name);
    const std::size_t after = translate_configuration(source, macro.line, macro.body, ".configure(");
    if (after < macro.line.size() && !macro.line.is(after, "("))
      source.fail(macro.line.begin(after), "only the kernel's arguments may follow >>> in this macro");
  }
}

}  // namespace

void translate_launches(Source& source, const Outline&, Program& program) {
  const Names& configurations = program.configuration_macros;
  translate_configuration_macros(source, program.configuration_macros);
  translate_launches(source, source.code(), 0, false, configurations);
  for (const Macro& macro : source.macros())
    if (!is_configuration(macro)) translate_launches(source, macro.line, macro.body, true, configurations);
}

}  // namespace translate
