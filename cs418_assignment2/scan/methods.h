#pragma once
// The interface of a rung, and the table of all rungs, which methods.cu fills.

#include <cstddef>
#include <functional>

#include "../../common/method_table.h"

namespace scan {

/// Starts the work in the default stream: out[i] = in[0] + ... + in[i-1] for i < n, modulo 2^32.
/// Unsigned, because the sums may wrap and signed overflow is undefined. `in` and `out` are aligned
/// to 16 bytes, as cudaMalloc returns them, and may be the same array.
using Scan = void(const unsigned* in, unsigned* out, size_t n);

using ScanMethod = Method<std::function<Scan>, size_t>;

/// All rungs, from naive to fast.
const MethodTable<ScanMethod>& methods();

}  // namespace scan
