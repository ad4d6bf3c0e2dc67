#pragma once
// All CUDA methods, as the program, the tests and the benchmark see them. methods.cu fills the table.

#include <memory>

#include "../../common/method_table.h"
#include "advance_circles.cuh"  // what every renderer calls
#include "method.cuh"

/// From plain to fast.
const MethodTable<CircleMethod>& circle_methods();

/// `bins` with the launches of `fast` for scenes whose `newest` circles are likely to be enough: a pass with those, and
/// one with the rest. For tests, as `fast` chooses `newest` itself.
std::unique_ptr<CudaRenderer> make_two_passes(const Scene& scene, int size, int newest);
