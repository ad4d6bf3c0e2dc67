#pragma once
// The texels of half_texture, and its picture: four panels.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "texture_common.h"

/// size * size heights: two hills on a slope; values from 0.02 to 1.
inline std::vector<float> two_hills(int size) {
  std::vector<float> heights;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const float u = (x + 0.5f) / size;
      const float v = (y + 0.5f) / size;
      auto hill = [&](float cx, float cy, float width) {
        return std::exp(-((u - cx) * (u - cx) + (v - cy) * (v - cy)) / (width * width));
      };
      heights.push_back(0.02f + 0.1f * u + 0.85f * hill(0.33f, 0.6f, 0.25f) +
                        0.5f * hill(0.75f, 0.35f, 0.18f));
    }
  return heights;
}

/// side * side values each, from the texture of 32-bit floats and from that of 16-bit floats:
/// filtered, and as stored.
struct HalfPanels {
  int side;
  std::vector<float> smooth_full;
  std::vector<float> smooth_half;
  std::vector<float> stored_full;
  std::vector<float> stored_half;
};

namespace half_picture_detail {

inline unsigned char byte(float v) {
  return static_cast<unsigned char>(255 * std::fmin(std::fmax(v, 0.0f), 1.0f));
}

/// Dark blue over teal and yellow to white.
inline Color tone(float v) {
  return {byte(2 * v - 0.4f), byte(1.5f * v), byte(0.25f + std::fabs(v - 0.45f)), 255};
}

/// Too large is red, too small is blue, equal is white.
inline Color error_tone(float error) {
  const auto faded = byte(1 - std::fabs(error));
  return error > 0 ? Color{255, faded, faded, 255} : Color{faded, faded, 255, 255};
}

}  // namespace half_picture_detail

/// dim x dim pixels: float and half above, their difference and a legend below. texels: per side of
/// the textures.
inline Image draw_panels(const HalfPanels& panels, int dim, size_t texels) {
  using namespace half_picture_detail;
  constexpr int enlargement = 4000;  // of the difference
  Image image(dim, dim);
  const int side = panels.side;
  const int scale = dim / 340;
  float largest = 0;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const size_t i = x + static_cast<size_t>(y) * side;
      auto put = [&](int px, int py, Color c) { std::memcpy(image.pixel(px, py), &c, sizeof c); };
      put(x, dim - side + y, tone(panels.smooth_full[i]));
      put(side + x, dim - side + y, tone(panels.smooth_half[i]));
      const float difference = panels.stored_half[i] - panels.stored_full[i];
      put(x, y, error_tone(difference * enlargement));
      largest = std::fmax(largest, std::fabs(difference));
    }
  label(image, 0, dim - side, side, "32-bit float", scale);
  label(image, side, dim - side, side, "16-bit float", scale);
  label(image, 0, 0, side, "difference x " + std::to_string(enlargement), scale);
  char text[64];
  std::snprintf(text, sizeof text, "largest: %.6f", largest);
  const int line = 14 * scale;
  const int left = side + 4 * scale;
  const int right = left + line * 3 / 2;  // of a colored square
  const int top = side - 2 * line;
  const Color white = {255, 255, 255};
  draw_text(image, left, top, text, white, scale);
  draw_text(image, left, top - line, "1 / 4096 = 0.000244", white, scale);
  fill_rect(image, left, top - 3 * line, line, line - scale, {255, 60, 60});
  draw_text(image, right, top - 3 * line + 2 * scale, "half is larger", white, scale);
  fill_rect(image, left, top - 4 * line, line, line - scale, {60, 60, 255});
  draw_text(image, right, top - 4 * line + 2 * scale, "half is smaller", white, scale);
  std::snprintf(text, sizeof text, "%zu and %zu bytes", texels * texels * 4, texels * texels * 2);
  draw_text(image, left, top - 6 * line, text, white, scale);
  return image;
}
