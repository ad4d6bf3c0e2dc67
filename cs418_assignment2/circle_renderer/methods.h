#pragma once
// All CUDA methods, as the program, the tests and the benchmark see them. methods.cu fills the table.

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "advance_circles.cuh"  // what every renderer calls
#include "method.cuh"

/// From plain to fast.
const std::vector<Method>& methods();

/// The method of that name; throws std::invalid_argument when there is none.
inline const Method& find_method(std::string_view name) {
  for (const Method& method : methods())
    if (method.name == name) return method;
  throw std::invalid_argument("there is no method named " + std::string(name));
}

/// `bins` with the launches of `fast` for scenes whose `newest` circles are likely to be enough: a pass with those, and
/// one with the rest. For tests, as `fast` chooses `newest` itself.
std::unique_ptr<CudaRenderer> make_two_passes(const Scene& scene, int size, int newest);
