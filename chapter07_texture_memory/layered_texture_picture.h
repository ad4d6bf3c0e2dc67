#pragma once
// The layers of layered_texture, and the labels of its picture.

#include <string>
#include <vector>

#include "texture_common.h"

// The 2D layers.
constexpr int planes = 4;
constexpr int plane_size = 16;  // texels per side
// The 1D layers.
constexpr int lines = 6;
constexpr int line_size = 8;  // texels

/// The planes one after another; layer k has pattern k: bars, rows, diagonals, squares.
inline std::vector<float4> plane_texels() {
  constexpr float4 colors[planes] = {{0.95f, 0.35f, 0.25f, 1},
                                     {0.25f, 0.7f, 0.35f, 1},
                                     {0.25f, 0.45f, 0.95f, 1},
                                     {0.9f, 0.7f, 0.2f, 1}};
  std::vector<float4> texels;
  for (int k = 0; k < planes; ++k)
    for (int y = 0; y < plane_size; ++y)
      for (int x = 0; x < plane_size; ++x) {
        const int stripe[planes] = {x / 2, y / 2, (x + y) / 2, x / 4 + y / 4};
        texels.push_back((stripe[k] % 2 == 0 ? 1.0f : 0.15f) * colors[k]);
      }
  return texels;
}

/// The lines one after another, each with colors of its own.
inline std::vector<float4> line_texels() {
  std::vector<float4> texels;
  for (int k = 0; k < lines; ++k)
    for (int x = 0; x < line_size; ++x) {
      const float t = static_cast<float>(x) / (line_size - 1);
      const float s = static_cast<float>(k) / (lines - 1);
      const float striped = x % 2 == 0 ? 1.0f : 0.1f;
      texels.push_back(k % 2 == 0 ? float4{t, s, 1 - t, 1} : float4{striped, 1 - s, s, 1});
    }
  return texels;
}

inline void label_layers(Image& image) {
  const int dim = image.width;
  const int scale = dim / 340;
  const std::string side = std::to_string(plane_size);
  const std::string plane_text =
      "tex2DLayered, " + std::to_string(planes) + " layers of " + side + " x " + side + " texels";
  const std::string line_text = "tex1DLayered, " + std::to_string(lines) + " layers of " +
                                std::to_string(line_size) + " texels";
  label(image, 0, dim / 2 + 1, dim, plane_text, scale);
  label(image, 0, 0, dim, line_text, scale);
}
