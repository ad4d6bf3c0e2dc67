#pragma once
// The output of read_write_coherency: three bands of cells.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../common/picture/draw.h"
#include "../common/picture/image.h"

/// The texture's result for every cell, three times.
struct Seen {
  std::vector<float> before;
  std::vector<float> same_launch;
  std::vector<float> next_launch;
};

inline void print_counts(const Seen& seen, float old_value, float new_value) {
  auto line = [&](const char* when, const std::vector<float>& values) {
    const auto old_count = std::ranges::count(values, old_value);
    const auto new_count = std::ranges::count(values, new_value);
    const auto others = static_cast<std::ptrdiff_t>(values.size()) - old_count - new_count;
    std::printf("%-28s %9td old %9td new %9td others\n", when, old_count, new_count, others);
  };
  line("before:", seen.before);
  line("in the same launch:", seen.same_launch);
  line("in the next launch:", seen.next_launch);
}

/// A band of the picture: a title with the share of old cells, and squares for cells picked evenly
/// from all. Old is blue, new is orange, anything else white.
inline void draw_band(Image& image, int bottom, int height, const std::vector<float>& values,
                      float old_value, float new_value, const std::string& title) {
  const int letters = image.width / 136;
  const int title_height = letters > 0 ? 10 * letters : 0;
  constexpr int columns = 16;
  constexpr int rows = 3;
  const int unit_x = image.width / columns;
  const int unit_y = (height - title_height) / rows;
  if (unit_x < 2 || unit_y < 2) return;
  const int gap = std::max(1, unit_x / 16);
  for (int k = 0; k < columns * rows; ++k) {
    const float v = values[values.size() * k / (columns * rows)];
    Color color = {255, 255, 255};
    if (v == old_value) color = {60, 110, 230};
    if (v == new_value) color = {245, 140, 35};
    fill_rect(image, k % columns * unit_x + gap, bottom + k / columns * unit_y + gap,
              unit_x - 2 * gap, unit_y - 2 * gap, color);
  }
  const double old_share = 100.0 * std::ranges::count(values, old_value) / values.size();
  std::string share = std::to_string(std::lround(old_share)) + "% old";
  if (old_share == 0) share = "all new";
  if (old_share == 100) share = "all old";
  draw_text(image, 2 * letters, bottom + height - title_height + letters, title + ": " + share,
            {255, 255, 255}, letters);
}

/// dim x dim pixels: before, in the same launch, in the next launch, from the top.
inline Image draw_bands(const Seen& seen, float old_value, float new_value, int dim) {
  Image image(dim, dim);
  fill_rect(image, 0, 0, dim, dim, {24, 26, 34});
  const int band = dim / 3;
  draw_band(image, dim - band, band, seen.before, old_value, new_value, "before");
  draw_band(image, band, dim - 2 * band, seen.same_launch, old_value, new_value, "same launch");
  draw_band(image, 0, band, seen.next_launch, old_value, new_value, "next launch");
  return image;
}
