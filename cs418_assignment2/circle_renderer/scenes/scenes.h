#pragma once
// All scenes by name. Fourteen are those of the course (their numbers are in README.md), the fifteenth is our
// own.
//
// A new scene is a function that makes it and a line in the table.

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "advance.h"
#include "patterns.h"
#include "random_circles.h"
#include "scene.h"

struct SceneMaker {
  std::string name;
  Scene (*make)();  ///< draws its random numbers from rand(), after srand()
  /// So many circles that the emulated device on two cores draws fewer than 20 frames per second even of 64 x
  /// 64 pixels (README.md, "The scenes").
  bool slow_without_gpu = false;
};

inline Scene still(std::vector<Circle> circles) {
  Scene scene;
  scene.circles = std::move(circles);
  return scene;
}

/// The snow after 240 steps (four seconds), standing still.
inline Scene snow_single_scene() {
  Scene scene = snow_scene();
  for (int step = 0; step < 240; ++step) advance(scene);
  scene.animation = Animation::none;
  scene.velocity.clear();
  scene.step = 0;
  return scene;
}

/// In the order in which --help lists them.
inline const std::vector<SceneMaker>& scene_makers() {
  static const std::vector<SceneMaker> makers = {
      {"rgb", [] { return still(rgb_circles()); }},
      {"rgby", [] { return still(rgby_circles()); }},
      {"rand10k", [] { return still(random_circles({.count = 10000})); }},
      {"rand100k", [] { return still(random_circles({.count = 100000})); }},
      {"rand1M", [] { return still(random_circles({.count = 1000000})); }, true},
      {"biglittle", [] { return still(big_and_little(0.85f)); }},
      {"littlebig", [] { return still(big_and_little(0.05f)); }},
      {"micro2M",
       [] { return still(random_circles({.count = 2000000, .fixed_radius = 0.001f, .micro_colors = true})); },
       true},
      {"pattern", [] { return still(pattern_circles()); }},
      {"snow", snow_scene, true},
      {"snowsingle", snow_single_scene, true},
      {"bouncingballs", bouncing_balls_scene},
      {"hypnosis", hypnosis_scene},
      {"fireworks", fireworks_scene},
      {"sunflower", sunflower_scene}};
  return makers;
}

inline std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const SceneMaker& maker : scene_makers()) names.push_back(maker.name);
  return names;
}

/// Makes the scene of that name from the random numbers of `seed`; throws std::invalid_argument for a name
/// that is not in the table.
inline Scene make_scene(const std::string& name, std::uint64_t seed) {
  for (const SceneMaker& maker : scene_makers()) {
    if (maker.name != name) continue;
    std::srand(static_cast<unsigned>(seed));
    Scene scene = maker.make();
    scene.name = name;
    return scene;
  }
  throw std::invalid_argument("there is no scene named " + name);
}
