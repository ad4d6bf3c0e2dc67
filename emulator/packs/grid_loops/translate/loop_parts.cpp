#include "loop_parts.h"

namespace translate {

namespace {

class LoopReader {
 public:
  LoopReader(const Tokens& code, std::size_t first, std::size_t last) : code_(code) {
    loop_.first = first;
    loop_.last = last;
  }

  std::optional<Loop> read() {
    const bool found =
        code_.is(loop_.first, "for") ? for_parts() : code_.is(loop_.first, "while") && while_parts();
    return found ? std::optional<Loop>(loop_) : std::nullopt;
  }

 private:
  // The first sign outside of brackets in [first, last).
  std::size_t outside(std::size_t first, std::size_t last, std::string_view sign) const {
    for (std::size_t i = first; i < last; ++i) {
      if (code_.is(i, sign)) return i;
      i = code_.past_brackets(i);
    }
    return none;
  }

  bool for_parts() {
    const std::size_t open = loop_.first + 1, close = code_.partner(open);
    const std::size_t first = outside(open + 1, close, ";");
    const std::size_t second = first == none ? none : outside(first + 1, close, ";");
    if (second == none) return false;
    if (first > open + 1) {
      std::size_t i = open + 1;
      for (; is_arithmetic_type_word(code_.text(i)) || code_.is_one_of(i, "auto std ::"); ++i)
        if (code_.is_one_of(i, "float double bool")) return false;
      loop_.index_type = code_.between(open + 1, i);
      if (!code_.is(i, Kind::word) || !code_.is(i + 1, "=") || outside(i, first, ",") != none ||
          loop_.index_type.empty())
        return false;
      loop_.index = code_.text(i);
      loop_.start = i + 2;
      loop_.start_last = first;
    } else {
      loop_.index = code_.text(second + 1);
    }
    loop_.bound = first + 1;
    loop_.bound_last = second;
    loop_.body = close + 1;
    loop_.body_last = loop_.last;
    loop_.can_continue = true;
    return step_parts(second + 1, close);
  }

  bool while_parts() {
    const std::size_t open = loop_.first + 1, close = code_.partner(open);
    if (!code_.is(close + 1, "{")) return false;
    loop_.bound = open + 1;
    loop_.bound_last = close;
    loop_.can_continue = false;
    // The last statement is the step.
    const std::size_t end = code_.partner(close + 1);
    std::size_t last = close + 2;
    for (std::size_t next = last; next < end; next = behind_statement(code_, last = next))
      if (behind_statement(code_, next) == none) return false;
    if (last >= end || !code_.is(end - 1, ";")) return false;
    loop_.index = code_.text(last);
    loop_.body = close + 2;
    loop_.body_last = last;
    return step_parts(last, end - 1);
  }

  // i += step, i = i + step
  bool step_parts(std::size_t first, std::size_t last) {
    if (!code_.is(first, loop_.index) || !code_.is(first, Kind::word)) return false;
    if (code_.is(first + 1, "+="))
      loop_.step = first + 2;
    else if (code_.is(first + 1, "=") && code_.is(first + 2, loop_.index) && code_.is(first + 3, "+"))
      loop_.step = first + 4;
    else
      return false;
    loop_.step_last = last;
    // i = i + a ? b : c, and anything else that binds less than +
    for (std::size_t i = loop_.step; i < last; ++i) {
      if (code_.is(i, "(") && code_.partner(i) != none) i = code_.partner(i);
      if (is_comparison(code_.text(i))) return false;
    }
    return true;
  }

  const Tokens& code_;
  Loop loop_ = {};
};

}  // namespace

bool is_comparison(std::string_view sign) { return one_of(sign, "< > <= >= == != ? ,"); }

std::optional<Loop> loop_parts(const Tokens& code, std::size_t first, std::size_t last) {
  return LoopReader(code, first, last).read();
}

}  // namespace translate
