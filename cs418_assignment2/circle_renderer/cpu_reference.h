#pragma once
// The CPU reference: the specification of the picture, in plain loops.
//
// Each circle in turn is laid over the pixels that it covers. The image is cut into bands of rows, which
// threads take in turn; every band sees the circles in input order, so the result does not depend on the
// threads.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../../common/grid.h"
#include "../../common/parallel.h"
#include "renderer.h"
#include "scenes/advance.h"

/// Color and alpha of a snowflake at `nearness` = (distance from the center / radius) squared: white in the
/// middle, bluish at the rim, and fainter the farther out. The color goes in four straight steps over five
/// points.
inline Circle shade_snowflake(const Circle& flake, float nearness) {
  constexpr std::array<Rgb, 5> ramp = {
      {{1, 1, 1}, {1, 1, 1}, {0.8f, 0.9f, 1}, {0.8f, 0.9f, 1}, {0.8f, 0.8f, 1}}};
  const float along = 4 * std::sqrt(nearness);
  const int step = std::min(3, static_cast<int>(along));
  const float part = along - static_cast<float>(step);
  const Rgb &from = ramp[static_cast<std::size_t>(step)], &to = ramp[static_cast<std::size_t>(step) + 1];
  Circle shaded = flake;
  shaded.red = (1 - part) * from.red + part * to.red;
  shaded.green = (1 - part) * from.green + part * to.green;
  shaded.blue = (1 - part) * from.blue + part * to.blue;
  shaded.alpha = 0.5f * std::clamp(0.6f + 0.4f * (1 - flake.z), 0.0f, 1.0f) * std::exp(-4 * nearness);
  return shaded;
}

/// Draws and animates a scene on the CPU.
class CpuReference : public Renderer {
 public:
  CpuReference(Scene scene, int size)
      : start_(std::move(scene)),
        scene_(start_),
        size_(size),
        grid_(PixelGrid::of(size)),
        pixels_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {
    for (int i = 0; i < size; ++i) centers_.push_back(pixel_center(i, size));
  }

  void clear() override {
    for (int row = 0; row < size_; ++row) {
      const Rgb color = background_at(scene_.background, centers_[static_cast<std::size_t>(row)]);
      std::fill_n(row_of(row), size_, FloatPixel{color.red, color.green, color.blue, 1});
    }
  }

  void advance() override { ::advance(scene_); }
  void restart() override { scene_ = start_; }

  void render() override {
    // In each band the numbers of the circles that may touch it, ascending.
    const int bands = div_up(size_, rows_per_band);
    std::vector<std::vector<int>> members(static_cast<std::size_t>(bands));
    for (int i = 0; i < scene_.count(); ++i) {
      const Circle& circle = scene_.circles[static_cast<std::size_t>(i)];
      const PixelRange rows = pixel_range(circle.y, circle.radius, grid_);
      if (rows.first > rows.last) continue;
      for (int band = rows.first / rows_per_band; band <= rows.last / rows_per_band; ++band)
        members[static_cast<std::size_t>(band)].push_back(i);
    }

    parallel_for(bands, [&](int band) {
      const int end = std::min((band + 1) * rows_per_band, size_);
      for (int row = band * rows_per_band; row < end; ++row)
        for (const int i : members[static_cast<std::size_t>(band)])
          render_row(scene_.circles[static_cast<std::size_t>(i)], row);
    });
  }

  std::vector<FloatPixel> image() override { return pixels_; }
  std::vector<Circle> circles() override { return scene_.circles; }

 private:
  static constexpr int rows_per_band = 8;

  FloatPixel* row_of(int row) {
    return pixels_.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(size_);
  }

  void render_row(const Circle& circle, int row) {
    const float dy = centers_[static_cast<std::size_t>(row)] - circle.y;
    const float radius_squared = circle.radius * circle.radius;
    if (!(squared_distance(0, dy) <= radius_squared)) return;
    // Half the chord, so that few pixels are tested in vain. The test itself decides.
    const float half_chord = std::sqrt(std::max(0.0f, radius_squared - dy * dy)) + 1e-3f * circle.radius;
    const PixelRange columns = pixel_range(circle.x, half_chord, grid_);
    FloatPixel* pixels = row_of(row);
    for (int column = columns.first; column <= columns.last; ++column) {
      const float dx = centers_[static_cast<std::size_t>(column)] - circle.x;
      const float distance_squared = squared_distance(dx, dy);
      if (!(distance_squared <= radius_squared)) continue;
      const Circle color =
          scene_.snowflakes ? shade_snowflake(circle, distance_squared / radius_squared) : circle;
      FloatPixel& pixel = pixels[column];
      pixel.red = blend_over(color.alpha * color.red, color.alpha, pixel.red);
      pixel.green = blend_over(color.alpha * color.green, color.alpha, pixel.green);
      pixel.blue = blend_over(color.alpha * color.blue, color.alpha, pixel.blue);
    }
  }

  Scene start_, scene_;
  int size_;
  PixelGrid grid_;
  std::vector<float> centers_;  // of the columns, and of the rows
  std::vector<FloatPixel> pixels_;
};
