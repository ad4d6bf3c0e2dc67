#include "subscripts.h"

#include "kernel_variables.h"

namespace translate {

void translate_subscripts(Source& source, const PlainFile& file, const Function& kernel) {
  const Tokens& code = source.code();
  KernelVariables variables(source, file, kernel);
  if (!variables.read_parameters()) return;
  const NameSet& pointers = variables.parameters().memory;
  const std::size_t end = code.partner(kernel.body);
  for (std::size_t i = kernel.body + 1, next; i < end; i = next) {
    next = after_statement(code, i);
    if (next == none || next > end) return;
    if (variables.read_shared(i, next) || variables.read_declaration(i, next)) continue;
    for (std::size_t k = i; k < next; ++k) {
      if (!pointers.contains(code.text(k)) || !code.is(k + 1, "[")) continue;
      const Range index = {k + 2, code.partner(k + 1)};
      const Expression known = variables.expression(index);
      if (known.pure && !known.uniform)
        source.wrap(code.begin(index.first), code.end(index.last - 1), {{"::emulated::subscript("}},
                    ")");
    }
  }
}

}  // namespace translate
