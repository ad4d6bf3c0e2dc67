// Tells the runtime what a GPU learns from a compiled program: launch bounds, which static shared memory and which
// constants a kernel uses, which variables are the device's.
#pragma once

#include "functions.h"
#include "source.h"

namespace translate {

/// Adds what the file's functions and macros name (Program::names_in), for the calls that follow.
void learn_names(const Source& source, const Outline& outline, Program& program);

/// Inserts the calls of include/emulated/declarations.h behind the declarations of shared memory, at the beginning of
/// kernels and behind the variables of the device.
void note_declarations(Source& source, const Outline& outline, Program& program);

}  // namespace translate
