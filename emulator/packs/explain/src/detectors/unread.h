// Kernels whose results are never read.
#pragma once

#include <cstdint>
#include <vector>

#include "order/work_order.h"
#include "record/uses.h"

namespace emulated::explain {

/// The next launch gets these arguments, one after the other.
void begin_unread_arguments();
void note_unread_argument(const void* bytes, std::size_t size);
/// The work uses these bytes; the uses before it are in the ledger, whose mutex is held.
void note_reads(const Work& work, const Range& range);
/// The kernel has ended, and used all of these. It printed, or not.
void note_outputs(const Work& kernel, const std::vector<Range>& ranges, bool printed);

}  // namespace emulated::explain
