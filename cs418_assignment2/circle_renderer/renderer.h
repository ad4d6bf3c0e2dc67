#pragma once
// What the program asks of a renderer; the CPU reference and every CUDA method answer it.

#include <cstddef>
#include <vector>

#include "scenes.h"

// One pixel of the image, 16 bytes; the fourth number is not used for colour. Row 0 is the bottom row.
struct alignas(16) FloatPixel {
  float red, green, blue, rest;
};

class Renderer {
 public:
  virtual ~Renderer() = default;
  virtual void clear() = 0;                     // background everywhere
  virtual void advance() = 0;                   // one step of an animated scene
  virtual void render() = 0;                    // the circles, in order, over what is there
  virtual void restart() = 0;                   // an animated scene as it was at the start
  virtual std::vector<FloatPixel> image() = 0;  // size * size pixels
  virtual std::vector<Circle> circles() = 0;    // where they are now
};

inline void draw_frame(Renderer& renderer) {
  renderer.clear();
  renderer.render();
}
