// What can be told of an address that the runtime has not given out.
#pragma once

namespace emulated {

/// Does the address lie in the program's or a library's own image, where variables with static storage are
/// (__device__ variables among them)?
bool is_static(const void* address);
/// Is there memory at the address at all?
bool is_mapped(const void* address);

}  // namespace emulated
