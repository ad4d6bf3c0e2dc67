#pragma once
// Is a renderer right? Compared with the CPU reference: pictures, and of animated scenes positions.

#include <vector>

#include "../../common/check.h"
#include "cpu_reference.h"
#include "renderer.h"

/// The three color channels, without the fourth.
inline std::vector<float> channels(const std::vector<FloatPixel>& pixels) {
  std::vector<float> values;
  values.reserve(pixels.size() * 3);
  for (const FloatPixel& pixel : pixels) values.insert(values.end(), {pixel.red, pixel.green, pixel.blue});
  return values;
}

inline std::vector<float> positions(const std::vector<Circle>& circles) {
  std::vector<float> values;
  for (const Circle& circle : circles) values.insert(values.end(), {circle.x, circle.y, circle.radius});
  return values;
}

/// Compares frames with those of the CPU reference: the first, and of an animated scene also a later one with
/// its positions. The renderer must be at the scene's beginning. Says what differs on standard error.
inline bool agrees_with_reference(Renderer& renderer, const Scene& scene, int size) {
  constexpr float channel_tolerance = 1e-5f, position_tolerance = 1e-4f;
  constexpr int later = 5;
  CpuReference reference(scene, size);
  for (int frame = 0; frame <= (scene.animation == Animation::none ? 0 : later); ++frame) {
    reference.advance();
    renderer.advance();
    if (frame != 0 && frame != later) continue;
    draw(reference);
    draw(renderer);
    if (!check_near("picture", channels(renderer.image()), channels(reference.image()), channel_tolerance))
      return false;
    if (frame > 0 && !check_near("position", positions(renderer.circles()), positions(reference.circles()),
                                 position_tolerance))
      return false;
  }
  return true;
}
