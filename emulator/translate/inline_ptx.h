// Inline PTX: asm("mov.u32 %0, %%laneid;" : "=r"(lane));
#pragma once

#include "functions.h"
#include "source.h"

namespace translate {

/// Writes the instructions of asm statements in device code as calls of functions in ::emulated::ptx
/// (../include/emulated/ptx.h). Throws Error with the name of an instruction that has none. A statement without
/// text only tells the compiler that memory may have changed, and stays.
void translate_inline_ptx(Source& source, const Outline& outline);

}  // namespace translate
