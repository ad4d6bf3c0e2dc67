// Loops in which each thread of a kernel steps over the whole grid or block:
//
//   for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i];
//
// The emulated device runs one thread after another, so each would walk through memory alone, in long steps. In front
// of such a loop goes a call that can run it for all threads of the block, one iteration of everybody after another
// (../packs/grid_loops); the loop itself stays behind it for whenever that is not possible.
#pragma once

#include <filesystem>
#include <string>

#include "functions.h"

namespace translate {

/// The text with calls before the loops of its kernels for which it is proved that threads may take turns after each
/// iteration:
/// - all threads of the block come to the loop: it stands in the kernel's outermost block, and since the kernel's
///   begin, a __syncthreads() there, or another such loop only variables were declared, from expressions without
///   effects and without memory;
/// - the index begins with such an expression and grows by a value that is the same for all threads; the loop goes
///   on while the index is less than such a value;
/// - the body knows names of plain types and functions only (plain_code.h), in which nobody can wait for other
///   threads; it does not leave the loop; and it changes no variable of the thread that was declared outside of it,
///   but for numbers that begin with such an expression: they are kept for each thread.
/// All other loops stay as they are. `program`: what is known from the files read before.
std::string with_strided_loops(const std::filesystem::path& path, std::string text, const Program& program);

}  // namespace translate
