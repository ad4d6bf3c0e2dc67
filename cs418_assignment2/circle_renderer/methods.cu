// The ladder: one entry per rung, from naive to fast. --help, --benchmark and the tests use this
// table. What takes long to compile is in methods_bins.cu.

#include "methods.h"

#include <functional>

#include "0_broken.cuh"
#include "1_pixels.cuh"
#include "2_cached.cuh"
#include "3_tiles.cuh"
#include "4_front.cuh"
#include "5_few.cuh"
#include "7_tiny.cuh"
#include "8_fast.cuh"

namespace circle_renderer {

namespace {

/// A rung that draws over what the image shows, and needs nothing ready.
CircleMethod over_the_image(const char* name, Draw draw, bool right = true) {
  CircleMethod method{{name, [draw](const Scene&, int) { return std::function<Draw>(draw); }}};
  method.whole_picture = false;
  method.right = right;
  return method;
}

/// A rung that draws the background, too, and needs nothing else ready.
CircleMethod with_background(const char* name,
                             void draw(const Background&, const Circles&, const Canvas&,
                                       cudaStream_t),
                             Refusal refusal(const Scene&, int)) {
  const auto make = [draw](const Scene& scene, int) {
    return std::function<Draw>(std::bind_front(draw, scene.background));
  };
  return {{name, make, refusal}};
}

Refusal refusal_of_front(const Scene& scene, int) {
  return {scene.snowflakes ? "takes no snow" : ""};
}
Refusal refusal_of_few(const Scene& scene, int size) {
  if (scene.count() <= few_max_circles) return refusal_of_front(scene, size);
  return {"takes at most " + std::to_string(few_max_circles) + " circles"};
}
Refusal refusal_of_tiny(const Scene& scene, int size) { return {tiny_problem(scene, size)}; }

}  // namespace

const MethodTable<CircleMethod>& methods() {
  static const MethodTable<CircleMethod> table{
      over_the_image("broken", draw_broken, false),
      over_the_image("pixels", draw_pixels),
      over_the_image("cached", draw_cached),
      over_the_image("tiles", draw_tiles),
      with_background("front", draw_front, refusal_of_front),
      with_background("few", draw_few, refusal_of_few),
      bins_method(),
      {{"tiny", CircleMethod::function_of<Tiny>, refusal_of_tiny}},
      {{"fast", CircleMethod::function_of<Fast>}}};
  return table;
}

}  // namespace circle_renderer
