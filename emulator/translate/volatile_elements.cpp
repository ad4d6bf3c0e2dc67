// Elements of volatile memory in device code: v[i] becomes ::emulated::reads(v[i]), or writes(v[i])
// where it changes. In shared memory these notice lanes of a warp that exchange values as if they
// ran in step (include/emulated/warp.h); for all else they are nothing.
#include <string>

#include "passes.h"

namespace translate {

void note_volatile_elements(Source& source, const Outline& outline, Program&) {
  const Tokens& code = source.code();
  const VolatileNames names = volatile_names(code, 0, code.size());
  for (const DeviceCode& part : device_code(outline, code))
    for (std::size_t i = part.body; i < part.last; ++i) {
      if (!names.contains(code.text(i)) || !code.is(i + 1, "[") ||
          code.is_one_of(i - 1, ". -> :: &") || declares(code, part.function, i))
        continue;
      std::size_t end = i;
      while (code.is(end + 1, "[") && code.partner(end + 1) != none) end = code.partner(end + 1);
      const bool changes = is_assignment(code.text(end + 1)) || code.is_one_of(i - 1, "++ --");
      source.open(code.begin(i), changes ? "::emulated::writes(" : "::emulated::reads(");
      source.close(code.end(end), ")");
    }
}

}  // namespace translate
