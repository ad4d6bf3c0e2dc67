#pragma once
// A scene: circles in the order of drawing, a background, and the circles' motion.

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

#include "circle.h"

namespace circle_renderer {

/// Lengths are fractions of the image's width, y grows upward. z is only data: the snow's distance.
struct Circle {
  float x;
  float y;
  float z;
  float radius;
  Rgb color;
  float alpha = 0.5f;
};

/// A vertical ramp; most scenes use no slope.
struct Background {
  Rgb at_the_top{1, 1, 1};
  Rgb towards_bottom{0, 0, 0};  // added in full at the bottom edge, in proportion above
};
__host__ __device__ inline Rgb background_at(const Background& background, float y) {
  const Rgb& top = background.at_the_top;
  const Rgb& slope = background.towards_bottom;
  const float down = 1 - y;
  return {product(slope.red, down) + top.red, product(slope.green, down) + top.green,
          product(slope.blue, down) + top.blue};
}

enum class Animation { none, bouncing_balls, hypnosis, fireworks, snow, sunflower };

/// The motion of a circle (advance.h).
struct Motion {
  /// Image widths per second; fireworks and sunflower keep a direction here, a unit vector.
  float2 velocity{};
  float2 origin{};  ///< fireworks: the center from which the spark flies
};

struct Scene {
  std::string name;
  std::vector<Circle> circles;  ///< in the order in which they are drawn
  std::vector<Motion> motion;   ///< one per circle in an animated scene, else empty
  Animation animation = Animation::none;
  Background background;
  bool snowflakes = false;  ///< all circles are flakes (Snowflake in circle.h), none is flat
  int step = 0;             ///< how many steps the scene has advanced

  int count() const { return static_cast<int>(circles.size()); }
};

// ---- circle_scenes.cpp

/// Fourteen of the course, one of our own, in the order in which --help lists them.
std::vector<std::string> scene_names();

/// Makes the scene of that name from random numbers of `seed`; throws
/// std::invalid_argument if unknown.
Scene make_scene(const std::string& name, std::uint64_t seed);

}  // namespace circle_renderer
