// Code that relies on the lanes of a warp running in step, as they did before Volta: the end of many public reductions and
// scans, on volatile memory and without a barrier,
//   s[i] += s[i + 16];   becomes   s[i] += ::emulated::in_step([&] { return s[i + 16]; });
// so that all lanes that are there read before any of them writes. Only for arrays that the function itself declares
// volatile, and elements whose index begins with that of the element that is written.

#include <string_view>

#include "passes.h"

namespace translate {

namespace {

// Does the element array[index] at token `written` also stand among the tokens [first, last), with more added to its
// index?
bool reads_partner(const Tokens& code, std::size_t first, std::size_t last, std::size_t written) {
  const std::size_t length = code.partner(written + 1) - written;  // of array[index
  for (std::size_t i = first; i + length < last; ++i) {
    std::size_t same = 0;
    while (same < length && code.text(i + same) == code.text(written + same)) ++same;
    const std::string_view sign = code.text(i + length);
    if (same == length && one_of(sign, "+ - ^")) return true;
  }
  return false;
}

}  // namespace

void translate_lockstep(Source& source, const Outline& outline, Program&) {
  const Tokens& code = source.code();
  for (const Function& function : outline.functions) {
    if (function.body == none || !function.only_device()) continue;
    const std::size_t end = code.partner(function.body);
    const VolatileNames arrays = volatile_names(code, function.parameters, end);
    for (std::size_t i = function.body; !arrays.empty() && i < end; ++i) {
      const std::size_t close = code.is(i + 1, "[") ? code.partner(i + 1) : none;
      if (close == none || !arrays.contains(code.text(i))) continue;
      const std::string_view sign = code.text(close + 1);
      if (!sign.ends_with('=') || one_of(sign, "== != <= >=")) continue;
      const std::size_t last = code.find(close + 2, code.size(), "; , }");
      if (last >= end || !reads_partner(code, close + 2, last, i)) continue;
      // Outside of all that is written around the right side.
      source.close(code.end(close + 1), " ::emulated::in_step([&] { return");
      source.open(code.begin(last), "; })");
      i = last;
    }
  }
}

}  // namespace translate
