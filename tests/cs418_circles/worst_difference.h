#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

#include "../../cs418_assignment2/circle_renderer/renderer.h"

// The largest difference of a color channel between two pictures of the same size; infinite when a channel
// is NaN.
inline double worst_difference(const std::vector<FloatPixel>& got, const std::vector<FloatPixel>& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    for (const double difference :
         {double{got[i].red} - expected[i].red, double{got[i].green} - expected[i].green,
          double{got[i].blue} - expected[i].blue})
      if (!(std::fabs(difference) <= worst))
        worst = std::isnan(difference) ? INFINITY : std::fabs(difference);
  return worst;
}
