#pragma once
#include <cuda_runtime.h>

#include <type_traits>

/// The number of groups of `size` that hold `count` things: the blocks of a grid that covers
/// `count` elements. count >= 0, size > 0. Unlike (count + size - 1) / size it cannot overflow.
template <class Count, class Size>
__host__ __device__ constexpr std::common_type_t<Count, Size> div_up(Count count, Size size) {
  return count / size + (count % size != 0 ? 1 : 0);
}
