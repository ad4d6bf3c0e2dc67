// The entry of tiny (methods.h).

#include "7_tiny.cuh"
#include "methods.h"

CircleMethod tiny_method() {
  return {{"tiny", "lists per tile, sorted per pixel; 100,000 tiny circles or more", rung<Tiny>,
           [](const Scene& scene, int size) { return Refusal{TinyPlan(scene, size).problem}; }}};
}
