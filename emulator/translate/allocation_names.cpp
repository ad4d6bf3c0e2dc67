// The name that the program gives an allocation: cudaMalloc(&a, bytes) becomes
// cudaMalloc((::emulated::named("a"), &a), bytes), so that the pack explain can say a[17].
#include <algorithm>
#include <string_view>

#include "passes.h"

namespace translate {

namespace {

constexpr std::string_view allocating =
    "cudaMalloc cudaMallocAsync cudaMallocPitch cudaMallocManaged cudaMallocHost cudaHostAlloc "
    "cudaMallocArray cudaMalloc3DArray";

// The first token of "a" in (void**)&a and reinterpret_cast<void**>(&a), tokens [first, last).
std::size_t after_casts(const Tokens& code, std::size_t first, std::size_t last) {
  while (first < last) {
    if (code.is(first, "&")) {
      ++first;
    } else if (code.is(first, "(") && code.partner(first) != none) {
      // What a cast's parenthesis is followed by, or what is in the parenthesis.
      first = code.partner(first) + 1 < last ? code.partner(first) + 1 : first + 1;
    } else if (code.is_one_of(first, "reinterpret_cast static_cast") &&
               code.after_angles(first + 1, last) != none) {
      first = code.after_angles(first + 1, last);
    } else {
      break;
    }
  }
  return first;
}

}  // namespace

void translate_allocation_names(Source& source, const Outline& outline, Program&) {
  const Tokens& code = source.code();
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.is(i, Kind::word) || !one_of(code.text(i), allocating) || !code.is(i + 1, "(") ||
        code.partner(i + 1) == none || function_around(outline, code, i) == nullptr)
      continue;
    const std::size_t first = i + 2;
    const std::size_t last = code.find(first, code.partner(i + 1), ",");
    std::size_t begin = after_casts(code, first, last);
    std::size_t end = last;
    while (end > begin && code.is(end - 1, ")") && code.partner(end - 1) < begin) --end;
    if (begin >= end || !code.is(begin, Kind::word) ||
        code.between(begin, end).find_first_of("\"\\\n") != std::string_view::npos)
      continue;
    source.open(code.begin(first),
                joined({"(::emulated::named(\"", code.between(begin, end), "\"), "}));
    source.close(code.end(last - 1), ")");
  }
}

}  // namespace translate
