#pragma once
// The output of texture_gather for its two examples.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "../common/picture/draw.h"
#include "../common/picture/image.h"

/// The texture's results for some points. The texels of component 0 have the values 10 y + x.
struct Gathered {
  /// 16 per point: four texels of component 0, of component 1, ...
  std::vector<float> texels = {};
  std::vector<float> filtered = {};  ///< one per point: component 0
};

inline void print_examples(std::span<const float2> places, const Gathered& got) {
  std::printf("Texel (x, y) has the value 10 y + x. y = %.5f in both lines.\n\n", places[0].y);
  std::printf(
      "       x   x - 0.5  in 1/256  rounded   gather: texels of the rows above and below   "
      "filtered\n");
  for (size_t k = 0; k < places.size(); ++k) {
    const double below = static_cast<double>(places[k].x) - 0.5;
    const float* t = &got.texels[16 * k];
    std::printf("%8.5f  %8.5f  %8.2f  %7.0f   %4.0f %4.0f above, %4.0f %4.0f below  %20.5f\n",
                places[k].x, below, below * 256, std::floor(below * 256 + 0.5), t[0], t[1], t[3],
                t[2], got.filtered[k]);
  }
  std::printf(
      "\nAt x = 2.49805 the rounded coordinate is 512 / 256 = 2: gather takes columns 2 and 3. "
      "Filtering takes\n"
      "columns 1 and 2 with the weights 0/256 and 256/256: the same value, and no jump there.\n");
}

/// One example: the texels with x 1..3 and y 2..3 as squares with their values, those that gather
/// returned bright, the place as a cross. gathered: the four texels of component 0.
inline void draw_example(Image& image, int bottom, int height, float2 place,
                         std::span<const float> gathered, float filtered) {
  constexpr int columns = 3;
  constexpr int rows = 2;
  constexpr int first_column = 1;
  constexpr int first_row = 2;
  constexpr Color white = {255, 255, 255};
  constexpr Color dark = {52, 60, 80};
  constexpr Color bright = {255, 170, 30};
  constexpr Color ink = {30, 24, 10};
  const int scale = image.width / 340;
  const int unit = (height - 30 * scale) / rows;
  const int left = (image.width - columns * unit) / 2;
  const int gap = std::max(1, unit / 24);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int x = left + column * unit;
      const int y = bottom + row * unit;
      const int texel = 10 * (row + first_row) + column + first_column;
      const bool chosen = std::ranges::count(gathered, static_cast<float>(texel)) > 0;
      fill_rect(image, x + gap, y + gap, unit - 2 * gap, unit - 2 * gap, chosen ? bright : dark);
      const int letters = unit / 28;
      const std::string text = std::to_string(texel);
      draw_text(image, x + unit - 2 * gap - text_width(text, letters), y + 2 * gap, text,
                chosen ? ink : white, letters);
    }
  const int px = left + static_cast<int>((place.x - first_column) * unit);
  const int py = bottom + static_cast<int>((place.y - first_row) * unit);
  const int arm = unit / 7;
  const int thick = std::max(1, unit / 20);
  fill_rect(image, px - arm, py - thick / 2, 2 * arm, thick, white);
  fill_rect(image, px - thick / 2, py - arm, thick, 2 * arm, white);
  char text[96];
  std::snprintf(text, sizeof text, "x = %.5f: x - 0.5 = %.1f / 256", place.x,
                (place.x - 0.5) * 256);
  draw_text(image, 4 * scale, bottom + rows * unit + 16 * scale, text, white, scale);
  std::snprintf(text, sizeof text, "gather takes columns %d and %d; filtered %.3f",
                static_cast<int>(gathered[0]) % 10, static_cast<int>(gathered[1]) % 10, filtered);
  draw_text(image, 4 * scale, bottom + rows * unit + 4 * scale, text, {255, 200, 90}, scale);
}

/// dim x dim pixels, the two examples one above the other.
inline Image draw_examples(std::span<const float2> places, const Gathered& got, int dim) {
  Image image(dim, dim);
  fill_rect(image, 0, 0, dim, dim, {24, 26, 34});
  const int half = dim / 2;
  for (int k = 0; k < 2; ++k)
    draw_example(image, (1 - k) * half, half, places[k], std::span(got.texels).subspan(16 * k, 4),
                 got.filtered[k]);
  return image;
}
