// What the scheduler asks about kernels.
#pragma once

#include <cstddef>

#include "../include/driver_types.h"

namespace emulated {

// How much dynamic shared memory a launch of this kernel may ask for. nullptr: a kernel whose address is not
// known (an overloaded name), for which the greatest limit of any kernel counts.
std::size_t dynamic_shared_limit(const void* function);

// How many blocks of this shape one multiprocessor holds.
cudaError_t resident_blocks(int* blocks, int block_size, std::size_t shared_bytes);

}  // namespace emulated
