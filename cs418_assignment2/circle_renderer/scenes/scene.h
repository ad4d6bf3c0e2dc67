#pragma once
// What a scene is: circles in the order in which they are drawn, a background, and how they move.

#include <cstdlib>
#include <string>
#include <vector>

#include "../circle.h"
#include "moving.h"

struct Scene {
  std::string name;
  std::vector<Circle> circles;   ///< in the order in which they are drawn
  std::vector<float2> velocity;  ///< one per circle in an animated scene, else empty (Moving::velocity)
  std::vector<float2> origin;    ///< fireworks: the center from which each circle flies; else empty
  Animation animation = Animation::none;
  Background background;
  bool snowflakes = false;  ///< shaded as flakes (cpu_reference.h), not as flat discs
  int step = 0;             ///< how many steps the scene has advanced

  int count() const { return static_cast<int>(circles.size()); }
};

/// A random number from 0 to 1. The course draws its random numbers with C's rand(), so we do too: the same
/// library and the same srand() give the same scene.
inline float rand_unit() { return static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX); }

constexpr float half_transparent = 0.5f;  // the alpha of all circles of the course
