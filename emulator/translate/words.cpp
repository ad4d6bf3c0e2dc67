// Single words that mean something else to nvcc: clock() is the device's in a kernel and the C
// library's on the host; what a kernel prints is lost if the program does not wait, and malloc()
// and `new` have a small heap there; assert() tells its argument;
// __noinline__ is a keyword, which as a macro would break the standard library's own
// __attribute__((__noinline__)).
#include <algorithm>
#include <string>

#include "passes.h"

namespace translate {

void translate_clock(Source& source, const Outline& outline, Program& program) {
  if (program.functions.contains("clock")) return;
  const Tokens& code = source.code();
  for (const DeviceCode& part : device_code(outline, code))
    for (std::size_t i = part.body; i < part.last; ++i)
      if (code.is(i, "clock") && code.is(i + 1, "(") && code.is(i + 2, ")") &&
          !code.is(i - 1, ".") && !code.is(i - 1, "->") &&
          !(code.is(i - 1, "::") && code.is(i - 2, Kind::word)))
        source.replace(
            code.begin(i), code.end(i),
            code.is(i - 1, "::") ? "emulated::device_clock" : "::emulated::device_clock");
}

// `new T` and `delete p`, but no `new (place) T`, and no operators' names.
static void translate_new(Source& source, const Tokens& code, std::size_t i, std::size_t last) {
  if (code.is_one_of(i - 1, "operator =") && !code.is(i, "new")) return;
  if (code.is(i, "new")) {
    if (!code.is(i - 1, "operator") && !code.is(i + 1, "("))
      source.replace(code.end(i), code.end(i), " (::emulated::kernel_heap())");
    return;
  }
  std::size_t operand = i + 1;
  if (code.is(operand, "[") && code.is(operand + 1, "]")) operand += 2;
  const std::size_t end = code.find(operand, last, "; , ) } ? :");
  source.wrap(code.begin(operand), code.end(end - 1), {{"::emulated::given_back("}}, ")");
}

// assert(x): what has failed is printed as it was written.
static void translate_assert(Source& source, const Tokens& code, std::size_t i) {
  const std::size_t close = code.partner(i + 1);
  if (close == none || close == i + 2) return;
  const std::size_t begin = code.begin(i + 2);
  const std::size_t end = code.end(close - 1);
  std::string written = source.text().substr(begin, end - begin);
  if (written.find("//") != std::string::npos) return;  // an argument cannot hold that
  std::replace(written.begin(), written.end(), '\n', ' ');
  source.wrap(begin, end, {{joined({"EMULATED_ASSERTED((", written, "), "})}}, ")");
}

void translate_library(Source& source, const Outline& outline, Program& program) {
  const Tokens& code = source.code();
  for (const DeviceCode& part : device_code(outline, code))
    for (std::size_t i = part.body; i < part.last; ++i) {
      if (code.is_one_of(i, "new delete")) translate_new(source, code, i, part.last);
      if (code.is(i, "assert") && code.is(i + 1, "(") && !code.is_one_of(i - 1, ". -> ::") &&
          !program.function_macros.contains("assert") && !program.functions.contains("assert"))
        translate_assert(source, code, i);
      if (!code.is_one_of(i, "printf malloc free") || !code.is(i + 1, "(") ||
          code.is_one_of(i - 1, ". ->") || program.functions.contains(code.text(i)))
        continue;
      std::size_t first = i;
      if (code.is(i - 1, "::")) first = code.is(i - 2, "std") ? i - 2 : i - 1;
      if (first == i - 1 && code.is(i - 2, Kind::word) && !code.is(i - 2, "return")) continue;
      source.replace(code.begin(first), code.end(i), joined({"::emulated::device_", code.text(i)}));
    }
}

void translate_noinline(Source& source, const Outline&, Program&) {
  const auto translate = [&](const Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (tokens.is(i, "__noinline__") && !tokens.is(i - 1, "(") && !tokens.is(i - 1, ","))
        source.replace(tokens.begin(i), tokens.end(i), "__attribute__((noinline))");
  };
  translate(source.code());
  for (const Macro& macro : source.macros()) translate(macro.line);
}

}  // namespace translate
