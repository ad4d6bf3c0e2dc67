// Asynchronous copies as C functions. The copies are done when they are
// called; waiting for them is nothing.
#pragma once

#include <cstddef>

#include <cuda_runtime.h>

// Copies 4, 8 or 16 bytes, the last `zeros` of which become 0 instead.
inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                    std::size_t zeros = 0) {
  __builtin_memcpy(to, from, bytes - zeros);
  __builtin_memset(static_cast<char*>(to) + (bytes - zeros), 0, zeros);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(std::size_t) {}
