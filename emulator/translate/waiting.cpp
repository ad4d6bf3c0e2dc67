// A waiting loop has to let other threads run. Atomic functions notice that themselves; a loop around a volatile variable or
// a load such as __ldcv gets a call of ::emulated::waiting(): in its condition when that reads the variable or the loop has
// no body, else (`while (true)`) at the beginning of its body.
#include "passes.h"

namespace translate {

namespace {

class Loops {
 public:
  Loops(Source& source, const VolatileNames& names) : source_(source), code_(source.code()), names_(names) {}

  void translate(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const bool is_for = code_.is(i, "for"), is_while = code_.is(i, "while");
      if ((!is_for && !is_while) || !code_.is(i + 1, "(") || code_.partner(i + 1) == none) continue;
      std::size_t begin = i + 2, end = code_.partner(i + 1);
      const std::size_t after = end + 1;
      if (is_for) {
        begin = code_.find(begin, end, ";") + 1;
        if (begin > end) continue;  // for (x : list)
        end = code_.find(begin, end, ";");
      }
      const bool endless =
          begin == end || (end == begin + 1 && (code_.is(begin, "true") || code_.is(begin, "1")));
      const bool empty =
          is_while && (code_.is(after, ";") || (code_.is(after, "{") && code_.is(after + 1, "}")));
      if (endless) {
        if (code_.is(after, "{") && code_.partner(after) != none && reads(after, code_.partner(after)))
          source_.close(code_.end(after), " ::emulated::waiting();");
        else if (empty && begin < end)
          source_.open(code_.begin(begin), "::emulated::waiting(), ");
      } else if ((reads(begin, end) || (empty && !is_tail(i) && !has_atomic(begin, end))) &&
                 !declares(begin)) {
        source_.open(code_.begin(begin), "::emulated::waiting(), ");
      }
    }
  }

 private:
  bool reads(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i)
      if (code_.is_one_of(i, "volatile __ldcv __ldcg") ||
          (code_.is(i, Kind::word) && names_.contains(code_.text(i))))
        return true;
    return false;
  }

  // Atomic functions let others run anyway.
  bool has_atomic(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      const std::string_view word = code_.text(i);
      if (word.starts_with("atomic") || word == "load" || word.starts_with("compare_exchange") ||
          word.starts_with("test") || word.starts_with("exchange") || word.starts_with("fetch_"))
        return true;
    }
    return false;
  }

  // while (int x = f()): a comma has no place there.
  bool declares(std::size_t i) const {
    return code_.is(i, Kind::word) && (code_.is(i + 1, Kind::word) || code_.is(i, "auto"));
  }

  // The while of do ... while (x);
  bool is_tail(std::size_t i) const {
    if (code_.is(i - 1, "}") && code_.partner(i - 1) != none) return code_.is(code_.partner(i - 1) - 1, "do");
    return false;
  }

  Source& source_;
  const Tokens& code_;
  const VolatileNames& names_;
};

}  // namespace

void translate_waiting_loops(Source& source, const Outline& outline, Program&) {
  const VolatileNames names = volatile_names(source.code(), 0, source.code().size());
  Loops loops(source, names);
  for (const DeviceCode& part : device_code(outline, source.code())) loops.translate(part.body, part.last);
}

}  // namespace translate
