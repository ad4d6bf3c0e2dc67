// Launches: kernel<<<configuration>>>(arguments), and other things that only nvcc reads.
#pragma once

#include <set>
#include <string>

#include "functions.h"
#include "source.h"

namespace translate {

/// The names of macros that hold a launch's configuration, `#define SHAPE <<<grid, block>>>`: kernel SHAPE (a)
/// is a launch. Adds those of `source` to `names` and translates their definitions.
void translate_configuration_macros(Source& source, std::set<std::string, std::less<>>& names);

/// kernel<<<configuration>>>(arguments) becomes EMULATED_KERNEL(kernel).configure(configuration)(arguments), in
/// code and in macros.
void translate_launches(Source& source, const std::set<std::string, std::less<>>& configuration_macros);

/// (void*)kernel and casts like it become ::emulated::kernel_address(kernel, "kernel"): the types of the kernel's
/// parameters, which nvcc's runtime knows from elsewhere, are noted before the cast hides them.
void translate_kernel_addresses(Source& source, const Program& program);

/// nvcc knows the keyword __noinline__. As a macro it would break the standard library's own
/// __attribute__((__noinline__)).
void translate_noinline(Source& source);

}  // namespace translate
