#pragma once
// The CPU reference, which specifies the picture, in plain loops.
//
// Each circle in turn is blended over the pixels that it covers. The image is cut into bands of
// rows, which threads take in turn. A band gets the circles in input order, so the result does not
// depend on threads.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../../common/grid.h"
#include "../../common/parallel.h"
#include "circle.h"

namespace circle_renderer {

/// Draws circles that are all flat, or all snowflakes.
template <class Shape>
void draw_shapes_on_cpu(const Circles& circles, const Canvas& image) {
  constexpr int rows_per_band = 32;
  std::vector<float> centers;  // of the columns, and of the rows
  for (int i = 0; i < image.size; ++i) centers.push_back(image.center(i));

  parallel_for(div_up(image.size, rows_per_band), [&](int band) {
    const int begin = band * rows_per_band;
    const int end = std::min(begin + rows_per_band, image.size);
    for (int i = 0; i < circles.count; ++i) {
      const PixelRange rows = pixel_range(circles.shapes[i].y, circles.shapes[i].radius, image);
      for (int row = std::max(rows.first, begin); row <= rows.last && row < end; ++row) {
        const Shape circle = Shape::of(circles, i);
        const float y = centers[static_cast<size_t>(row)];
        const float dy = y - circle.y;
        if (!(squared_distance(0, dy) <= circle.radius_squared)) continue;
        // Half the chord, so that few pixels are tested needlessly. The test itself decides.
        const float half_chord = std::sqrt(std::max(0.0f, circle.radius_squared - dy * dy));
        const float margin = 1e-3f * circles.shapes[i].radius;
        const PixelRange columns = pixel_range(circle.x, half_chord + margin, image);
        for (int column = columns.first; column <= columns.last; ++column) {
          const float x = centers[static_cast<size_t>(column)];
          float4& pixel = image.at(column, row);
          if (covers(circle, x, y)) pixel = shade(circle, x, y, pixel);
        }
      }
    }
  });
}

/// Draws the circles over the image's content; both are in host memory.
inline void draw_on_cpu(const Circles& circles, const Canvas& image) {
  if (circles.snow)
    draw_shapes_on_cpu<Snowflake>(circles, image);
  else
    draw_shapes_on_cpu<FlatCircle>(circles, image);
}

}  // namespace circle_renderer
