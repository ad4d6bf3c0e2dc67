// What memory pools have to know of memory that is freed.
#pragma once

namespace emulated {

/// The memory at this address, if it came from a pool, does not count there any more.
void leave_pool(const void* pointer);

}  // namespace emulated
