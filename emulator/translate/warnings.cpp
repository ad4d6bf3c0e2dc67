// Copies into shared memory that nothing waits for, anywhere in the program, are warned of. So are
// functions for both sides that choose by __CUDA_ARCH__ (a condition that names EMULATED_DEVICE has
// decided for itself), copies and fills of as many bytes as a pointer has, and results that a
// kernel leaves in a parameter.
#include <algorithm>
#include <string_view>
#include <vector>

#include "declarators.h"
#include "passes.h"

namespace translate {

namespace {

bool mentions(const Tokens& line, std::string_view word) {
  for (std::size_t i = 1; i < line.size(); ++i)
    if (line.is(i, word)) return true;
  return false;
}

// p of sizeof(p) or sizeof p, which the tokens [first, last) are; empty: they are something else.
std::string_view name_in_sizeof(const Tokens& code, const Part& part) {
  if (!code.is(part.first, "sizeof")) return "";
  const bool brackets = code.is(part.first + 1, "(");
  const std::size_t name = part.first + (brackets ? 2 : 1);
  if (part.last != name + (brackets ? 2 : 1) || !code.is(name, Kind::word)) return "";
  return code.text(name);
}

// Is the type one of the language, or a structure of this file that has nothing but values? Then an
// assignment does nothing else.
bool is_plain(const Tokens& code, std::string_view type) {
  if (one_of(type, "bool char short int unsigned long float double")) return true;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.is(i, "struct") && !code.is(i, "class")) continue;
    const std::size_t open = code.is(i + 1, "{") ? i + 1 : i + 2;
    if (!code.is(open, "{") || code.partner(open) == none) continue;
    const std::size_t close = code.partner(open);
    if (!(open == i + 2 && code.is(i + 1, type)) && !code.is(close + 1, type)) continue;
    for (std::size_t k = open; k < close; ++k)
      if (code.is_one_of(k, "operator & :")) return false;
    return true;
  }
  return false;
}

// Where the kernel first writes to its parameter; none: it does not, or uses it otherwise, too.
std::size_t only_written_at(const Tokens& code, const Function& kernel, std::string_view name) {
  std::size_t first = none;
  for (std::size_t i = kernel.body; i < code.partner(kernel.body); ++i) {
    if (!code.is(i, name) || code.is_one_of(i - 1, ". -> ::")) continue;
    std::size_t sign = i + 1;
    while (code.is(sign, ".") && code.is(sign + 1, Kind::word)) sign += 2;
    if (!code.is_one_of(i - 1, "; { } ) else") || !is_assignment(code.text(sign))) return none;
    if (first == none) first = i;
  }
  return first;
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
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.is(i + 1, "(")) continue;
    const bool of_group = code.is(i, "memcpy_async") && code.is(i - 1, "::") &&
                          code.is_one_of(i - 2, "cg cooperative_groups");
    if (!program.waits_for_copies && code.is(i, "__pipeline_memcpy_async"))
      source.warn(code.begin(i),
                  "nothing waits for this copy: __pipeline_wait_prior(0) is missing, before the "
                  "barrier after which the memory is read");
    if (!program.waits_for_groups && of_group)
      source.warn(code.begin(i),
                  "nothing waits for this copy: cooperative_groups::wait(group) is missing; a "
                  "barrier does not wait for it");
  }
}

// cudaMemcpy(p, q, sizeof(q), ...), where q is a pointer.
void warn_of_sizes_of_pointers(Source& source, const Outline& outline, Program&) {
  const Tokens& code = source.code();
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string_view call = code.text(i);
    if (!code.is(i, Kind::word) || !code.is(i + 1, "(") || code.partner(i + 1) == none ||
        !(call.starts_with("cudaMemcpy") || call.starts_with("cudaMemset")))
      continue;
    const Function* const function = function_around(outline, code, i);
    if (function == nullptr || function->in_kernel()) continue;
    const std::vector<Part> arguments = parts(code, i + 2, code.partner(i + 1));
    const auto is_argument = [&](std::string_view name) {
      return std::any_of(arguments.begin(), arguments.end(), [&](const Part& part) {
        return part.last == part.first + 1 && code.is(part.first, name);
      });
    };
    for (const Part& part : arguments)
      if (const std::string_view name = name_in_sizeof(code, part);
          !name.empty() && is_argument(name) && is_local_pointer(code, *function, name))
        source.warn(code.begin(part.first),
                    joined({"sizeof(", name, ") is 8, the size of a pointer: ", call,
                            " needs that of what it points to"}));
  }
}

constexpr std::string_view lost =
    ", its copy of the argument, which ends with the kernel: the host gets results from memory to "
    "which a pointer leads";

// result.found = 1, where the kernel never reads its copy of result.
void warn_of_lost_results(Source& source, const Outline& outline, Program&) {
  const Tokens& code = source.code();
  for (const Function& function : outline.functions) {
    if ((function.side & side_global) == 0 || function.body == none) continue;
    const std::size_t close = code.partner(function.parameters);
    for (const Part& part : parts(code, function.parameters + 1, close)) {
      const std::string_view name = code.text(part.last - 1);
      const std::string_view type = code.text(part.last - 2);
      if (part.last < part.first + 2 || !is_plain(code, type)) continue;
      if (const std::size_t at = only_written_at(code, function, name); at != none)
        source.warn(code.begin(at), joined({"kernel ", function.name, " writes to ", name, lost}));
    }
  }
}

}  // namespace translate
