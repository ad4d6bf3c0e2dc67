#pragma once
// --inset: the middle of a still picture, enlarged, in its lower right corner. Circles smaller than a pixel would
// otherwise be noise.

#include <algorithm>
#include <cstring>
#include <memory>

#include "../../common/picture/draw.h"
#include "../../common/picture/image.h"
#include "methods.h"
#include "scenes/scene.h"
#include "to_bytes.cuh"

/// The scene with its middle `times` as large.
inline Scene enlarged(Scene scene, float times) {
  for (Circle& circle : scene.circles) {
    circle.x = (circle.x - 0.5f) * times + 0.5f;
    circle.y = (circle.y - 0.5f) * times + 0.5f;
    circle.radius *= times;
  }
  return scene;
}

/// Draws the inset, framed in white, into a picture of the scene.
inline void draw_inset(Image& picture, const Scene& scene, float times) {
  const int side = picture.width * 45 / 100, frame = std::max(1, picture.width / 100);
  if (side < 1) return;
  const std::unique_ptr<CudaRenderer> renderer = circle_methods()["fast"].make(enlarged(scene, times), side);
  draw(*renderer);
  Image inset(side, side);
  to_bytes(renderer->image(), inset.rgba.data());
  const int left = picture.width - side - frame;
  fill_rect(picture, left - frame, 0, side + 2 * frame, side + 2 * frame, {255, 255, 255, 255});
  for (int y = 0; y < side; ++y)
    std::memcpy(picture.pixel(left, y + frame), inset.pixel(0, y), std::size_t{4} * side);
}
