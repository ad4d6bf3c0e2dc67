// Floating point to integer: a GPU saturates, x86 does not. See emulated/convert.h.
#pragma once

#include "functions.h"
#include "source.h"

namespace translate {

/// In device code, conversions to a built-in integer type become ::emulated::to<type>(value): casts in all three
/// spellings (also to template parameters), and, where the type stands in the function itself, initializers,
/// returned values and assignments that are not obviously integers already.
void translate_conversions(Source& source, const Outline& outline);

}  // namespace translate
