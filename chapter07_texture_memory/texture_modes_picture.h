#pragma once
// The texels of texture_modes, the places of its cells, and the text in its picture.

#include <cstdio>
#include <string>
#include <vector>

#include "../common/picture/draw.h"
#include "../common/picture/image.h"

constexpr int modes = 4;     // columns of the table
constexpr int filters = 2;   // rows
constexpr int integers = 6;  // of each type, for the read modes
constexpr const char* mode_names[modes] = {"wrap", "mirror", "clamp", "border"};
constexpr const char* filter_names[filters] = {"point", "linear"};

/// 8 x 8 pixels: an arrow that points up and right on a ground that changes from corner to corner.
inline Image arrow_picture() {
  constexpr int side = 8;
  constexpr const char* rows[side] = {"........", "..#####.", "....###.", "...####.",
                                      "..##.##.", ".##...#.", ".#......", "........"};
  Image image(side, side);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const bool ink = rows[side - 1 - y][x] == '#';
      unsigned char* p = image.pixel(x, y);
      p[0] = ink ? 255 : static_cast<unsigned char>(20 + 15 * x);
      p[1] = ink ? 235 : static_cast<unsigned char>(60 + 15 * y);
      p[2] = ink ? 120 : static_cast<unsigned char>(190 - 10 * x);
    }
  return image;
}

/// A cell of the table, in pixels.
struct Cell {
  int x;
  int y;
  int width;
  int height;
};

/// The cell of an address mode (column) and a filter mode (row, 0 at the top). The upper three
/// quarters of the picture hold the table; every cell has a margin, above with room for its name.
inline Cell cell_at(int column, int row, int dim) {
  const int pitch_x = dim / modes;
  const int pitch_y = dim * 3 / 4 / filters;
  const int margin = dim / 64;
  return {.x = column * pitch_x + margin / 2,
          .y = dim - (row + 1) * pitch_y + margin / 2,
          .width = pitch_x - margin,
          .height = pitch_y - 3 * margin};
}

/// The names of the cells, and a frame around the picture's own place in each.
inline void label_cells(Image& image) {
  const int scale = image.width / 400;
  if (scale < 1) return;
  const Color white = {255, 255, 255};
  for (int row = 0; row < filters; ++row)
    for (int column = 0; column < modes; ++column) {
      const Cell c = cell_at(column, row, image.width);
      const std::string name = std::string(mode_names[column]) + ", " + filter_names[row];
      draw_text(image, c.x, c.y + c.height + 2 * scale, name, white, scale);
      const int x = c.x + c.width / 3;
      const int y = c.y + c.height / 3;
      const int w = c.width / 3;
      const int h = c.height / 3;
      fill_rect(image, x, y, w, scale, white);
      fill_rect(image, x, y + h, w, scale, white);
      fill_rect(image, x, y, scale, h, white);
      fill_rect(image, x + w, y, scale, h + scale, white);
    }
  fill_rect(image, 0, 0, image.width, image.width / 4, {38, 42, 52});
}

/// One of four lines in the lower quarter of the picture: a type, its integers, and below them
/// their normalized floats. The stripe above a number is as bright as its float.
inline void draw_integers(Image& image, int line, const char* type, const std::vector<int>& values,
                          const std::vector<float>& floats) {
  const int dim = image.width;
  const int scale = dim / 512;
  const int height = dim / 16;
  const int bottom = (3 - line) * height + 2 * scale;
  const int text = 9 * scale;
  const Color white = {255, 255, 255};
  const Color yellow = {255, 200, 90};
  draw_text(image, dim / 64, bottom + text + 2 * scale, type, white, scale);
  draw_text(image, dim / 64, bottom + scale, "reads as", yellow, scale);
  for (int i = 0; i < integers; ++i) {
    const int x = dim * (2 * i + 5) / 17;
    const auto gray = static_cast<unsigned char>(255 * (floats[i] + 1) / 2);
    fill_rect(image, x, bottom + 2 * text + 3 * scale, dim / 10, 6 * scale, {gray, gray, gray});
    draw_text(image, x, bottom + text + 2 * scale, std::to_string(values[i]), white, scale);
    char number[16];
    std::snprintf(number, sizeof number, "%.4f", floats[i]);
    draw_text(image, x, bottom + scale, number, yellow, scale);
  }
}
