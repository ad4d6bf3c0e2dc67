// Declarations of shared memory.
#pragma once

#include "functions.h"
#include "source.h"

namespace translate {

/// extern __shared__ T name[]; becomes a reference to the block's dynamic shared memory. One at namespace scope
/// moves into the functions of the device that use it. Elsewhere __shared__ is a macro (qualifiers.h), and only
/// a `static` that would be there twice goes. An initialized variable is an error, as with nvcc.
void translate_shared_memory(Source& source, const Outline& outline, Program& program);

}  // namespace translate
