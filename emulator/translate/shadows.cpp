// Host code that names a variable of the device: it has a copy of its own there, which only API
// functions take for the variable. nvcc warns of it, too. Where the name is something else after
// all (a member), the function that is inserted gives back what it was given
// (emulated/declarations.h).
#include "passes.h"

namespace translate {

namespace {

// Is the token an argument of a function such as cudaMemcpyToSymbol?
bool is_symbol(const Tokens& code, std::size_t token) {
  for (std::size_t i = token; i-- > 0 && !code.is_one_of(i, "; {");) {
    if (code.is(i, "(") && code.text(i - 1).find("Symbol") != std::string_view::npos) return true;
    if (code.is_one_of(i, ") ] }") && code.partner(i) != none) i = code.partner(i);
  }
  return false;
}

}  // namespace

void translate_shadows(Source& source, const Outline& outline, Program& program) {
  const Tokens& code = source.code();
  for (const Function& function : outline.functions) {
    if (function.body == none || function.member || !function.only_host()) continue;
    for (std::size_t i = function.body; i < code.partner(function.body); ++i) {
      if (code.is(i, "__device__")) break;  // a lambda for the device
      if (!program.device_variables.contains(code.text(i)) ||
          is_local(code, function, code.text(i)) || code.is_one_of(i - 1, ". -> ::") ||
          code.is_one_of(i + 1, ":: (") || code.is(i - 2, "decltype") || is_symbol(code, i))
        continue;
      source.open(code.begin(i), "::emulated::host_side(");
      source.close(code.end(i), ")");
      source.warn(
          code.begin(i),
          joined({code.text(i), " is a variable of the device: host code such as ", function.name,
                  " has a copy of its own under this name; use cudaMemcpyFromSymbol and "
                  "cudaMemcpyToSymbol"}));
    }
  }
}

}  // namespace translate
