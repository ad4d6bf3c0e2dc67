#pragma once
// The interface of a rung, and the table of all rungs, which methods.cu fills.

#include <cstddef>
#include <functional>

#include "../../common/method_table.h"

namespace dot_fast {

/// Writes the sum of a[i] * b[i] for all i < n to *result. All three are in device memory, a and b
/// aligned to 16 bytes. The old value of *result does not matter.
using Dot = void(const float* a, const float* b, size_t n, float* result);

using DotMethod = Method<std::function<Dot>>;

/// All rungs, from naive to fast.
const MethodTable<DotMethod>& methods();

}  // namespace dot_fast
