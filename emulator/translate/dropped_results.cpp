// Calls of the runtime whose result the program drops: cudaFree(p); as a statement of host code
// becomes ::emulated::drops("cudaFree"), cudaFree(p); so that an error which is not looked at is
// said (emulated/dropped.h). What is cast to void is dropped on purpose.
#include <algorithm>
#include <iterator>
#include <string_view>

#include <runtime_functions.h>

#include "passes.h"

namespace translate {

namespace {

bool is_runtime_function(std::string_view name) {
  return name.starts_with("cuda") &&
         std::find(std::begin(runtime_functions), std::end(runtime_functions), name) !=
             std::end(runtime_functions);
}

// Does a statement begin at token i?
bool begins_statement(const Tokens& code, std::size_t i) {
  if (code.is_one_of(i - 1, "; { } else do")) return true;
  if (code.is(i - 1, ":")) return code.is(i - 2, "default") || code.is(i - 3, "case");
  if (!code.is(i - 1, ")") || code.partner(i - 1) == none) return false;
  const std::size_t head = code.partner(i - 1) - 1;
  return code.is_one_of(head, "if for while switch") ||
         (code.is(head, "constexpr") && code.is(head - 1, "if"));
}

}  // namespace

void translate_dropped_results(Source& source, const Outline& outline, Program&) {
  const auto translate = [&](const Tokens& tokens, std::size_t i) {
    if (tokens.is(i + 1, "(") && tokens.partner(i + 1) != none &&
        tokens.is(tokens.partner(i + 1) + 1, ";") && is_runtime_function(tokens.text(i)) &&
        begins_statement(tokens, i))
      source.open(tokens.begin(i), joined({"::emulated::drops(\"", tokens.text(i), "\"), "}));
  };
  const Tokens& code = source.code();
  const std::vector<DeviceCode> device = device_code(outline, code);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto around = [i](const DeviceCode& part) { return part.body <= i && i < part.last; };
    if (std::any_of(device.begin(), device.end(), around)) continue;
    if (function_around(outline, code, i) == nullptr) continue;  // a declaration
    translate(code, i);
  }
  // The first statement of a macro may be one's right side: error = FREE(p).
  for (const Macro& macro : source.macros())
    for (std::size_t i = macro.body + 1; i < macro.line.size(); ++i) translate(macro.line, i);
}

}  // namespace translate
