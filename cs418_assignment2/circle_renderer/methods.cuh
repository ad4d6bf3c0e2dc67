#pragma once
// All CUDA methods, from plain to fast. A new rung is one file and one line here.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "0_broken.cuh"
#include "1_pixels.cuh"
#include "2_cached.cuh"
#include "3_tiles.cuh"
#include "4_filled.cuh"
#include "5_front.cuh"
#include "6_few.cuh"
#include "7_bins.cuh"
#include "8_tiny.cuh"
#include "advance_circles.cuh"
#include "fast.cuh"
#include "method.cuh"

inline const std::vector<Method>& methods() {
  static const std::vector<Method> table = {broken_method, pixels_method, cached_method, tiles_method,
                                            filled_method, front_method,  few_method,    bins_method,
                                            tiny_method,   fast_method};
  return table;
}

/// The method of that name; throws std::invalid_argument when there is none.
inline const Method& find_method(std::string_view name) {
  for (const Method& method : methods())
    if (method.name == name) return method;
  throw std::invalid_argument("there is no method named " + std::string(name));
}
