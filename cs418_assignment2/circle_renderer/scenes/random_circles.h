#pragma once
// The course's large still scenes: rand10k, rand100k, rand1M, micro2M, biglittle, littlebig.
//
// First all depths are drawn and sorted, the farthest circle first; then each circle draws its radius, place
// and color. Who changes the order of the draws changes the picture.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "scene.h"

/// What a random scene is made from. With fixed_radius: micro2M and the ground of biglittle.
struct RandomScene {
  int count;
  float fixed_radius = 0;     ///< 0: each circle draws its own
  bool micro_colors = false;  ///< micro2M has colors of its own
};
inline std::vector<Circle> random_circles(const RandomScene& wanted) {
  std::vector<float> depths(static_cast<std::size_t>(wanted.count));
  for (float& depth : depths) depth = rand_unit();
  std::sort(depths.begin(), depths.end(), std::greater<float>());

  std::vector<Circle> circles(depths.size());
  for (std::size_t i = 0; i < circles.size(); ++i) {
    Circle& circle = circles[i];
    circle.alpha = half_transparent;
    circle.z = depths[i];
    if (wanted.fixed_radius > 0)
      circle.radius = wanted.fixed_radius;
    else if (wanted.count > 100000)
      circle.radius = 0.009f + 0.005f * rand_unit();
    else
      circle.radius = 0.02f + 0.06f * rand_unit();
    circle.x = rand_unit();
    circle.y = rand_unit();
    if (wanted.count <= 10000) {
      circle.red = 0.1f + 0.9f * rand_unit();
      circle.green = 0.2f + 0.5f * rand_unit();
      circle.blue = 0.5f + 0.5f * rand_unit();
    } else if (wanted.count <= 100000) {
      circle.red = 0.3f + 0.9f * rand_unit();
      circle.green = 0.1f + 0.9f * rand_unit();
      circle.blue = 0.1f + 0.4f * rand_unit();
    } else if (wanted.micro_colors) {
      circle.red = 0.3f + 0.9f * rand_unit();
      circle.green = 0.1f + 0.3f * rand_unit();
      circle.blue = 0.2f + 0.2f * rand_unit();
    } else {
      circle.red = 0.2f + 0.5f * rand_unit();
      circle.green = 0.5f + 0.5f * rand_unit();
      circle.blue = 0.1f + 0.4f * rand_unit();
    }
  }
  return circles;
}

/// 9,000 big circles all over, then 1,000 little ones in one corner.
inline std::vector<Circle> big_and_little(float corner) {
  std::vector<Circle> circles = random_circles({.count = 10000, .fixed_radius = 0.25f});
  for (std::size_t i = 9000; i < circles.size(); ++i) {
    circles[i].radius = 0.05f;
    circles[i].x = 0.9f - corner + 0.1f * rand_unit();
    circles[i].y = corner + 0.1f * rand_unit();
  }
  return circles;
}
