// What the scheduler asks about kernels.
#pragma once

#include <cstddef>

#include "../include/driver_types.h"

namespace emulated {

// How much dynamic shared memory a launch of this kernel may ask for, besides its static shared memory. nullptr: a
// kernel whose address is not known (an overloaded name), for which the greatest limit of any kernel counts.
std::size_t dynamic_shared_limit(const void* function);

// How many blocks of this kernel one multiprocessor holds; `dynamic_bytes`: of shared memory for each block.
cudaError_t resident_blocks(int* blocks, const void* function, int block_size, std::size_t dynamic_bytes);

}  // namespace emulated
