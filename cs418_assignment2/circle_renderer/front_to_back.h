#pragma once
// May a scene be drawn front to back, from the newest circle to the oldest, and how soon is a pixel done?
//
// In input order a pixel becomes  a3 c3 + (1-a3) (a2 c2 + (1-a2) (a1 c1 + (1-a1) background)). Multiplied out it is
// a3 c3 + (1-a3) a2 c2 + (1-a3)(1-a2) a1 c1 + ...: a sum that can be taken from the newest circle on, if one keeps the
// transmittance, the part of the light from farther back that still gets through: the product of the (1-a) so far.
// What is left out after stopping weighs less than the transmittance times the largest color.

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene.h"

/// With less transmittance than this a pixel counts as opaque. Colors reach 1.2, so stopping changes no channel by
/// more than 1.2e-6.
constexpr float opaque_below = 1e-6f;

/// How many circles rung `front` looks at in a round.
constexpr int front_round = 1024;

/// Front to back adds the same numbers in another order, so it rounds differently. After n circles over a
/// pixel the two differ by about n roundings of 6e-8, more when all go the same way. Circles with little
/// alpha need many to hide what is behind them (with alpha 1/16 it takes 214), and the reference's own
/// rounding adds up, too. So scenes with fainter circles than that are drawn in input order, and so is snow, whose
/// flakes get fainter toward their rims. Circles with alpha 0 change nothing either way.
inline bool front_to_back_is_accurate(const Scene& scene) {
  constexpr float min_alpha = 1.0f / 16;
  if (scene.snowflakes) return false;
  for (const Circle& circle : scene.circles)
    if (circle.alpha > 0 && circle.alpha < min_alpha) return false;
  return true;
}

/// How many circles, newest first, a pixel in the middle of the image goes through on average until it is
/// opaque; the circles' size and alpha are averages over the scene. Infinite when nothing would ever be
/// opaque, or when the scene is drawn in input order.
inline double circles_until_opaque(const Scene& scene) {
  double covered = 0, alpha = 0;
  for (const Circle& circle : scene.circles) {
    covered += std::min(1.0, 3.14159265 * circle.radius * circle.radius);
    alpha += circle.alpha;
  }
  const double count = static_cast<double>(scene.circles.size());
  covered /= count;
  if (!(alpha > 0) || !(covered > 0) || !front_to_back_is_accurate(scene))
    return std::numeric_limits<double>::infinity();
  alpha = std::min(alpha / count, 0.999);
  return std::log(opaque_below) / std::log(1 - alpha) / covered;
}
