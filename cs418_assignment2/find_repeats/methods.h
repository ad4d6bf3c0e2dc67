#pragma once
// The interface of a rung, and the table of all rungs, which methods.cu fills.

#include <cstddef>
#include <functional>
#include <limits>

#include "../../common/method_table.h"

namespace find_repeats {

/// Writes all i with in[i] == in[i+1], ascending, to `out`, and returns their number. `in` has n
/// numbers and is aligned to 16 bytes, `out` has room for n - 1; they do not overlap. Returns when
/// everything is written; work goes to the default stream.
using FindRepeats = size_t(const int* in, size_t n, int* out);

/// Indices are ints, so that is the largest array.
constexpr size_t max_with_int_indices = std::numeric_limits<int>::max();

using RepeatsMethod = Method<std::function<FindRepeats>, size_t>;

/// All rungs, from naive to fast.
const MethodTable<RepeatsMethod>& methods();

}  // namespace find_repeats
