// The memory that kernels allocate.
#pragma once

#include <cstddef>

namespace emulated {

/// cudaLimitMallocHeapSize, unless the program changes it.
constexpr std::size_t heap_bytes = 8 << 20;
void limit_heap(std::size_t bytes);
/// Has a kernel got this memory, by malloc() or new?
bool is_in_heap(const void* address);
/// It is whole again, and as large as in the beginning.
void forget_heap();

}  // namespace emulated
