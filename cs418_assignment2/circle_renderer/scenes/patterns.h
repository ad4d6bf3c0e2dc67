#pragma once
// The course's small still scenes, in which nothing is random: rgb, rgby and pattern.

#include <vector>

#include "scene.h"

/// Three large circles side by side.
inline std::vector<Circle> rgb_circles() {
  return {{0.4f, 0.5f, 0.75f, 0.3f, 1, 0, 0, half_transparent},
          {0.5f, 0.5f, 0.50f, 0.3f, 0, 1, 0, half_transparent},
          {0.6f, 0.5f, 0.25f, 0.3f, 0, 0, 1, half_transparent}};
}

/// Four circles; the last one, yellow, is the farthest by z, and is drawn on top all the same.
inline std::vector<Circle> rgby_circles() {
  return {{0.25f, 0.25f, 0.75f, 0.19f, 1, 0, 0, half_transparent},
          {0.3f, 0.3f, 0.50f, 0.19f, 0, 1, 0, half_transparent},
          {0.5f, 0.5f, 0.25f, 0.25f, 0, 0, 1, half_transparent},
          {0.2f, 0.2f, 0.90f, 0.1f, 1, 1, 0, half_transparent}};
}

/// A grid of 16 x 16 red circles, and over it one of 31 x 31 yellow ones, half of which are outside.
inline std::vector<Circle> pattern_circles() {
  std::vector<Circle> circles;
  constexpr float radius = 1.0f / 32, spacing = 1.0f / 16;
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column)
      circles.push_back({radius + spacing * static_cast<float>(column),
                         radius + spacing * static_cast<float>(row), 0.5f, radius, 1, 0, 0,
                         half_transparent});
  for (int row = 0; row < 31; ++row)
    for (int column = 0; column < 31; ++column)
      circles.push_back({spacing * static_cast<float>(column), spacing * static_cast<float>(row), 0.25f,
                         radius, 1, 1, 0, half_transparent});
  return circles;
}
