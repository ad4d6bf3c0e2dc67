#pragma once
// The interface of a rung, and the table of all rungs, which methods.cu fills.

#include <cstddef>
#include <functional>

#include "../../common/method_table.h"

namespace hist_fast {

/// Starts to count `size` bytes of device memory, at any address, into the 256 bins of `histogram`
/// on the default stream. The bins' old values do not matter. 1 <= size <= max_bytes.
using CountBytes = void(const unsigned char* bytes, size_t size, unsigned* histogram);

using HistogramMethod = Method<std::function<CountBytes>>;

/// All rungs, from naive to fast.
const MethodTable<HistogramMethod>& methods();

}  // namespace hist_fast
