// A waiting loop has to let other threads run. Atomic functions notice that themselves; a loop
// around a volatile variable or a load such as __ldcv gets a call of ::emulated::waiting(): in its
// condition when that reads the variable or the loop has no body, else (`while (true)`) at the
// beginning of its body.
#include "passes.h"

namespace translate {

namespace {

bool reads(const Tokens& code, const VolatileNames& names, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    if (code.is_one_of(i, "volatile __ldcv __ldcg") ||
        (code.is(i, Kind::word) && names.contains(code.text(i))))
      return true;
  return false;
}

// Atomic functions let others run anyway.
bool has_atomic(const Tokens& code, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    const std::string_view word = code.text(i);
    if (word.starts_with("atomic") || word == "load" || word.starts_with("compare_exchange") ||
        word.starts_with("test") || word.starts_with("exchange") || word.starts_with("fetch_"))
      return true;
  }
  return false;
}

// while (int x = f()): a comma has no place there.
bool declares(const Tokens& code, std::size_t i) {
  return code.is(i, Kind::word) && (code.is(i + 1, Kind::word) || code.is(i, "auto"));
}

// The while of do { ... } while (x);
bool is_tail(const Tokens& code, std::size_t i) {
  return code.is(i - 1, "}") && code.is(code.partner(i - 1) - 1, "do");
}

// The loop that begins at token i, if one does.
void translate_loop(Source& source, const VolatileNames& names, std::size_t i) {
  const Tokens& code = source.code();
  const bool is_for = code.is(i, "for");
  const bool is_while = code.is(i, "while");
  if ((!is_for && !is_while) || !code.is(i + 1, "(") || code.partner(i + 1) == none) return;
  std::size_t begin = i + 2;
  std::size_t end = code.partner(i + 1);
  const std::size_t after = end + 1;
  if (is_for) {
    begin = code.find(begin, end, ";") + 1;
    if (begin > end) return;  // for (x : list)
    end = code.find(begin, end, ";");
  }
  const bool endless = begin == end || (end == begin + 1 && code.is_one_of(begin, "true 1"));
  const bool empty =
      is_while && (code.is(after, ";") || (code.is(after, "{") && code.is(after + 1, "}")));
  if (endless) {
    if (code.is(after, "{") && code.partner(after) != none &&
        reads(code, names, after, code.partner(after)))
      source.close(code.end(after), " ::emulated::waiting();");
    else if (empty && begin < end)
      source.open(code.begin(begin), "::emulated::waiting(), ");
  } else if (!declares(code, begin) &&
             (reads(code, names, begin, end) ||
              (empty && !is_tail(code, i) && !has_atomic(code, begin, end)))) {
    source.open(code.begin(begin), "::emulated::waiting(), ");
  }
}

}  // namespace

void translate_waiting_loops(Source& source, const Outline& outline, Program&) {
  const VolatileNames names = volatile_names(source.code(), 0, source.code().size());
  for (const DeviceCode& part : device_code(outline, source.code()))
    for (std::size_t i = part.body; i < part.last; ++i) translate_loop(source, names, i);
}

}  // namespace translate
