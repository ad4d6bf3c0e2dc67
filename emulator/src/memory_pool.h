// What memory pools know of the memory that came from them, and have to know of memory that is freed.
#pragma once

#include <optional>

namespace emulated {

/// May kernels of `device` use the pool's memory that holds this address? Peer access (cudaDeviceEnablePeerAccess) does
/// not count there, only cudaMemPoolSetAccess does. None: the memory came from no pool.
std::optional<bool> has_pool_access(int device, const void* pointer);

/// The memory at this address, if it came from a pool, does not count there any more.
void leave_pool(const void* pointer);

}  // namespace emulated
