// The ladder: one entry per rung, from plain to fast. --help, --benchmark and the tests go through this table.

#include "methods.h"

#include "0_broken.cuh"
#include "1_pixels.cuh"
#include "2_cached.cuh"
#include "3_tiles.cuh"
#include "4_filled.cuh"
#include "5_front.cuh"
#include "6_few.cuh"
#include "7_bins.cuh"
#include "8_tiny.cuh"
#include "fast.cuh"

const MethodTable<CircleMethod>& circle_methods() {
  static const MethodTable<CircleMethod> table = {broken_method, pixels_method, cached_method, tiles_method,
                                                  filled_method, front_method,  few_method,    bins_method,
                                                  tiny_method,   fast_method};
  return table;
}

[[gnu::used]] std::unique_ptr<CudaRenderer> make_two_passes(const Scene& scene, int size, int newest) {
  return std::make_unique<Recorded<BinsRenderer>>(scene, size, newest);
}
