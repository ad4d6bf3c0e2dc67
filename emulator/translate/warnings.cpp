// Functions for both sides that choose by __CUDA_ARCH__ are warned of. A condition that names
// EMULATED_DEVICE has decided for itself.
#include "passes.h"

namespace translate {

namespace {

bool mentions(const Tokens& line, std::string_view word) {
  for (std::size_t i = 1; i < line.size(); ++i)
    if (line.is(i, word)) return true;
  return false;
}

}  // namespace

void warn_of_architectures(Source& source, const Outline& outline, Program&) {
  const Tokens& code = source.code();
  for (const Directive& directive : source.directives()) {
    const Tokens& line = directive.tokens;
    if (!mentions(line, "__CUDA_ARCH__") || mentions(line, "EMULATED_DEVICE") ||
        line.is(0, "define"))
      continue;
    const Function* function = function_around(outline, code, directive.code_index);
    if (function != nullptr && (function->side & side_host) != 0 &&
        (function->side & side_device) != 0)
      source.warn(directive.begin,
                  function->name +
                      " chooses by __CUDA_ARCH__, which is always defined on the emulated "
                      "device: the host takes the device's branch, too");
  }
}

}  // namespace translate
