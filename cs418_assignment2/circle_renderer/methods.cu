// The ladder: one entry per rung, from plain to fast. --help, --benchmark and the tests go through this table. What takes
// long to compile is in methods_*.cu.

#include "methods.h"

#include <functional>

#include "0_broken.cuh"
#include "1_pixels.cuh"
#include "2_cached.cuh"
#include "3_tiles.cuh"
#include "8_fast.cuh"

namespace {

/// A rung that draws over what the image shows, and needs nothing ready.
CircleMethod over_the_image(const char* name, const char* help, Draw draw, bool right = true) {
  return {{name, help, [draw](const Scene&, int) { return std::function<Draw>(draw); }}, false, right};
}

}  // namespace

const MethodTable<CircleMethod>& circle_methods() {
  static const MethodTable<CircleMethod> table{
      over_the_image("broken", "a thread per circle: wrong, on purpose", draw_broken, false),
      over_the_image("pixels", "a thread per pixel, all circles in order", draw_pixels),
      over_the_image("cached", "as pixels, circles cached in shared memory", draw_cached),
      over_the_image("tiles", "16 x 16 tiles, an ordered list in shared memory", draw_tiles),
      front_method(),
      few_method(),
      bins_method(),
      tiny_method(),
      {{"fast", "the best of few, front, bins and tiny for the scene", rung<Fast>}}};
  return table;
}
