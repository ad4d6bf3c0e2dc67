#pragma once
// Pictures for the texture samples: a generated test picture, and pictures as textures of the CPU reference.

#include <cmath>
#include <cstddef>
#include <string>

#include "../common/picture/draw.h"
#include "../common/picture/image.h"
#include "cpu_texture.h"

/// A picture in which every corner and direction can be told: colors from corner to corner, a fine
/// checkerboard, rings in the middle and a letter.
inline Image test_picture(int size) {
  Image image(size, size);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const float u = (x + 0.5f) / size, v = (y + 0.5f) / size;
      const float dx = u - 0.5f, dy = v - 0.5f, radius = std::sqrt(dx * dx + dy * dy);
      const bool checker = (x * 16 / size + y * 16 / size) % 2 != 0;
      const bool ring = radius < 0.4f && static_cast<int>(radius * 20) % 2 == 0;
      const float shade = ring ? 0.35f : checker ? 1.0f : 0.82f;
      unsigned char* p = image.pixel(x, y);
      p[0] = static_cast<unsigned char>(255 * shade * (0.25f + 0.75f * u));
      p[1] = static_cast<unsigned char>(255 * shade * (0.25f + 0.75f * v));
      p[2] = static_cast<unsigned char>(255 * shade * (1.0f - 0.7f * u));
    }
  const int scale = size / 16;
  if (scale > 0)
    draw_text(image, (size - text_width("R", scale)) / 2, (size - 7 * scale) / 2, "R", {255, 255, 255},
              scale);
  return image;
}

/// Byte to float as a texture unit reads with cudaReadModeNormalizedFloat: 0 is 0.0, 255 is 1.0.
inline reference::Texture<float4> reference_texture(const Image& image) {
  reference::Texture<float4> texture;
  texture.width = image.width;
  texture.height = image.height;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    texture.texels.push_back({image.rgba[i] / 255.0f, image.rgba[i + 1] / 255.0f, image.rgba[i + 2] / 255.0f,
                              image.rgba[i + 3] / 255.0f});
  return texture;
}

/// A label of a panel: white letters on a dark strip with its lower left corner at (x, y). Left out where the
/// panel is too narrow for it.
inline void label(Image& image, int x, int y, int panel_width, const std::string& text, int scale) {
  const int width = text_width(text, scale) + 4 * scale;
  if (scale < 1 || width > panel_width) return;
  fill_rect(image, x, y, width, 11 * scale, {20, 20, 28});
  draw_text(image, x + 2 * scale, y + 2 * scale, text, {255, 255, 255}, scale);
}
