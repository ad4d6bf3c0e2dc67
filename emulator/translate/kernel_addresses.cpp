// (void*)kernel and casts like it become EMULATED_KERNEL_ADDRESS(kernel): the types of the kernel's
// parameters, which nvcc's runtime knows from elsewhere, are noted before the cast hides them.
#include "passes.h"

namespace translate {

namespace {

// The token after (void*), (const void*) or reinterpret_cast<void*>, whose first
// token is `begin`; none for others.
std::size_t after_void_cast(const Tokens& tokens, std::size_t begin) {
  const bool named = tokens.is(begin, "reinterpret_cast") || tokens.is(begin, "static_cast");
  std::size_t at = named ? begin + 1 : begin;
  if (!tokens.is(at, named ? "<" : "(")) return none;
  bool is_void = false;
  for (++at; tokens.is(at, "const") || tokens.is(at, "void"); ++at)
    is_void |= tokens.is(at, "void");
  return is_void && tokens.is(at, "*") && tokens.is(at + 1, named ? ">" : ")") ? at + 2 : none;
}

// The token after the name of a kernel such as kernel, &kernel, ns::kernel<int,
// 4>, (kernel); none for others.
std::size_t after_kernel_name(const Tokens& tokens, std::size_t at, const Program& program) {
  if (tokens.is(at, "(") && tokens.partner(at) != none)
    return after_kernel_name(tokens, at + 1, program) == tokens.partner(at) ? tokens.partner(at) + 1
                                                                            : none;
  if (tokens.is(at, "&")) ++at;
  if (tokens.is(at, "::")) ++at;
  while (tokens.is(at, Kind::word) && tokens.is(at + 1, "::")) at += 2;
  const auto known = program.functions.find(tokens.text(at));
  if (known == program.functions.end() || known->second != side_global) return none;
  return tokens.is(++at, "<") ? tokens.after_angles(at, tokens.size()) : at;
}

void translate_kernel_addresses(Source& source, const Tokens& tokens, const Program& program) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::size_t kernel = after_void_cast(tokens, i);
    if (kernel == none) continue;
    const std::size_t end = after_kernel_name(tokens, kernel, program);
    if (end != none) {
      source.replace(tokens.begin(i), tokens.begin(kernel), "EMULATED_KERNEL_ADDRESS(");
      source.close(tokens.end(end - 1), ")");
    } else if (tokens.is(i - 1, "(") &&
               tokens.is_one_of(i - 2, "cudaLaunchKernel cudaLaunchCooperativeKernel")) {
      source.replace(tokens.begin(i), tokens.begin(kernel),
                     "");  // a pointer that has the kernel's type
    }
  }
}

}  // namespace

void translate_kernel_addresses(Source& source, const Outline&, Program& program) {
  translate_kernel_addresses(source, source.code(), program);
  for (const Macro& macro : source.macros())
    translate_kernel_addresses(source, macro.line, program);
}

}  // namespace translate
