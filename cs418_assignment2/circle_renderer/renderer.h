#pragma once
// What the program asks of a renderer; the CPU reference and every CUDA method answer it.

#include <vector>

#include "scenes/scene.h"

/// One pixel of the image, 16 bytes; the fourth number is not used for color. Row 0 is the bottom row.
struct alignas(16) FloatPixel {
  float red, green, blue, rest;
};

class Renderer {
 public:
  virtual ~Renderer() = default;
  virtual void clear() = 0;                     ///< background everywhere
  virtual void advance() = 0;                   ///< one step of an animated scene
  virtual void render() = 0;                    ///< the circles, in order, over what is there
  virtual void restart() = 0;                   ///< an animated scene as it was at the start
  virtual std::vector<FloatPixel> image() = 0;  ///< size * size pixels
  virtual std::vector<Circle> circles() = 0;    ///< where they are now
};

/// Draws the scene as it is now.
inline void draw(Renderer& renderer) {
  renderer.clear();
  renderer.render();
}

/// A frame, as the course has it: cleared, advanced, then drawn. So the first frame of an animated scene
/// shows it after one step.
inline void next_frame(Renderer& renderer) {
  renderer.clear();
  renderer.advance();
  renderer.render();
}
