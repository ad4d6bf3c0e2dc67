// Copies to the device of which a part is never read, since all blocks read the same part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "order/work_order.h"
#include "record/uses.h"

namespace emulated::explain {

/// The host has copied to the device. The ledger's mutex is held, here and below.
void note_input(std::uintptr_t to, std::size_t bytes);
/// The kernel has ended, and used all of these; it has so many blocks.
void note_inputs_used(const std::vector<Range>& ranges, std::uint64_t blocks);
/// A copy uses these bytes.
void note_input_copied(std::uintptr_t begin, std::size_t bytes);
/// The allocation that begins there is freed.
void end_input(std::uintptr_t begin);

}  // namespace emulated::explain
