// The entries of front and few (methods.h).

#include "4_front.cuh"
#include "5_few.cuh"
#include "methods.h"

CircleMethod front_method() {
  return {{"front", "32 x 32 tiles, newest circle first, stop when opaque", rung<Front>}};
}

CircleMethod few_method() {
  return {{"few", "at most 32 circles: no list, a lane per circle", rung<Few>, [](const Scene& scene, int) {
             return Refusal{scene.count() <= Few::max_circles ? "" : "takes at most 32 circles"};
           }}};
}
