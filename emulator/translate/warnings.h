// What a program should know of itself although it is translated.
#pragma once

#include <string>
#include <vector>

#include "functions.h"
#include "source.h"

namespace translate {

/// Sentences of the form "file:line: warning: ...":
/// - functions for both sides that choose by __CUDA_ARCH__;
/// - statements such as `sums[i] += sums[i ^ 8];` where i is the thread's: each of two threads reads what the other
///   writes. Warps of a GPU happen to read first, all lanes at once, so that such programs seem right there.
std::vector<std::string> warnings(const Source& source, const Outline& outline);

}  // namespace translate
