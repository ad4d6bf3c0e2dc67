// Copies into shared memory that nothing waits for, anywhere in the program, are warned of. So are
// functions for both sides that choose by __CUDA_ARCH__. A condition that names
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

void warn_of_copies_not_waited_for(Source& source, const Outline&, Program& program) {
  const Tokens& code = source.code();
  if (program.waits_for_copies) return;
  for (std::size_t i = 0; i < code.size(); ++i)
    if (code.is(i, "__pipeline_memcpy_async") && code.is(i + 1, "("))
      source.warn(code.begin(i),
                  "nothing waits for this copy: __pipeline_wait_prior(0) is missing, before the "
                  "barrier behind which the memory is read");
}

}  // namespace translate
