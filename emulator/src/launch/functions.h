// What the scheduler looks up about kernels.
#pragma once

#include <cstddef>

#include "driver_types.h"
#include "emulated/templates.h"  // resident_blocks(): how many blocks a multiprocessor holds

namespace emulated {

// How much dynamic shared memory a launch of this kernel may ask for, besides its static shared memory. nullptr: a
// kernel whose address is not known (an overloaded name), for which the greatest limit of any kernel counts.
std::size_t dynamic_shared_limit(const void* function);

}  // namespace emulated
