#pragma once
// The scenes. Fourteen are those of the course (their numbers are in circle_renderer.md), the fifteenth is
// our own.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "advance.h"
#include "circle.h"

struct Scene {
  std::string name;
  std::vector<Circle> circles;   // in the order in which they are drawn
  std::vector<float2> velocity;  // one a circle in an animated scene, else empty
  Animation animation = Animation::none;
  Background background;
  bool snowflakes = false;  // shaded as flakes (reference.h), not as flat discs
  int step = 0;             // how many steps the scene has advanced

  int count() const { return static_cast<int>(circles.size()); }
};

inline const std::vector<std::string>& scene_names() {
  static const std::vector<std::string> names = {
      "rgb",     "rgby", "rand10k",    "rand100k",      "rand1M",   "biglittle", "littlebig", "micro2M",
      "pattern", "snow", "snowsingle", "bouncingballs", "hypnosis", "fireworks", "sunflower"};
  return names;
}

// The course draws its random numbers with C's rand(), so we do too: the same library gives the same scene.
inline float rand_unit() { return static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX); }

constexpr float half_transparent = 0.5f;

// rand10k, rand100k, rand1M, micro2M and, with fixed_radius, the ground of biglittle.
struct RandomScene {
  int count;
  float fixed_radius = 0;  // 0: drawn
  bool micro_colours = false;
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
    } else if (wanted.micro_colours) {
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

// 9,000 big circles all over, then 1,000 little ones in one corner.
inline std::vector<Circle> big_and_little(float corner) {
  std::vector<Circle> circles = random_circles({.count = 10000, .fixed_radius = 0.25f});
  for (std::size_t i = 9000; i < circles.size(); ++i) {
    circles[i].radius = 0.05f;
    circles[i].x = 0.9f - corner + 0.1f * rand_unit();
    circles[i].y = corner + 0.1f * rand_unit();
  }
  return circles;
}

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

inline Scene snow_scene() {
  constexpr int flakes = 100000;
  Scene scene;
  scene.animation = Animation::snow;
  scene.snowflakes = true;
  scene.background = {{0.4f, 0.4f, 0.4f}, {0.45f, 0.45f, 0.45f}};
  // Most flakes are far away: the tenth root pushes the depths towards 1.
  std::vector<float> depths(flakes);
  for (int i = 0; i < flakes; ++i) {
    const float even = static_cast<float>(i) / flakes;
    depths[static_cast<std::size_t>(i)] =
        std::clamp(std::pow(even, 0.1f) - 0.05f + 0.1f * rand_unit(), 0.0f, 1.0f);
  }
  std::sort(depths.begin(), depths.end(), std::greater<float>());
  for (const float z : depths) {
    const float near_radius = 0.08f - 0.0075f + 0.015f * rand_unit();
    float radius = near_radius * snow_scale(z);
    if (z < 0.02f)
      radius *= 3;
    else
      radius = std::max(radius, 0.0075f);
    const float x = rand_unit();
    const float y = snow_column * rand_unit();
    scene.circles.push_back({x, y, z, radius, 1, 1, 1, half_transparent});
    scene.velocity.push_back({0, 0});
  }
  return scene;
}

inline Scene bouncing_balls_scene() {
  Scene scene;
  scene.animation = Animation::bouncing_balls;
  for (int i = 0; i < 10; ++i) {
    const float radius = 0.03f + 0.04f * rand_unit();
    const float x = (static_cast<float>(i) + 0.5f) / 10;
    const float y = 0.4f + 0.5f * rand_unit();
    const float red = rand_unit(), green = rand_unit(), blue = rand_unit();
    scene.circles.push_back({x, y, 0.5f, radius, red, green, blue, half_transparent});
    scene.velocity.push_back({0.4f * (rand_unit() - 0.5f), 0});
  }
  return scene;
}

inline Scene hypnosis_scene() {
  Scene scene;
  scene.animation = Animation::hypnosis;
  constexpr int rings = 25;
  for (int ring = 0; ring < rings; ++ring) {
    const bool dark = ring % 2 == 0;
    scene.circles.push_back({0.5f, 0.5f, 0.5f, hypnosis_radius(ring, rings, 0), dark ? 0.25f : 1.0f,
                             dark ? 0.0f : 0.9f, dark ? 0.5f : 0.4f, half_transparent});
    scene.velocity.push_back({0, 0});
  }
  return scene;
}

inline Scene fireworks_scene() {
  Scene scene;
  scene.animation = Animation::fireworks;
  for (int burst = 0; burst < bursts; ++burst) {
    const float red = rand_unit(), green = rand_unit(), blue = rand_unit();
    const float brightest = std::max({red, green, blue, 0.01f});
    for (int spark = 0; spark < sparks_a_burst; ++spark) {
      const float angle = 2 * 3.14159265f * static_cast<float>(spark) / sparks_a_burst;
      const float speed = 0.09f + 0.07f * rand_unit();
      Moving moving{0, 0, 0.5f, 0, {speed * std::cos(angle), speed * std::sin(angle)}};
      place_spark(moving, burst * sparks_a_burst + spark, 0);
      scene.circles.push_back({moving.x, moving.y, 0.5f, moving.radius, red / brightest, green / brightest,
                               blue / brightest, half_transparent});
      scene.velocity.push_back(moving.velocity);
    }
  }
  return scene;
}

// Our own: the head of a sunflower that never stops growing. Seeds whose numbers differ by 34 stand in one of
// 34 spirals; the colour goes three times through gold, red and blue on the way around.
inline Scene sunflower_scene() {
  Scene scene;
  scene.animation = Animation::sunflower;
  scene.background = {{0.02f, 0.04f, 0.10f}, {0.05f, 0.10f, 0.16f}};
  constexpr int seeds = 2400, spirals = 34;
  constexpr int step_to_neighbour = 21;  // 21 * 13 = 1 modulo 34, and 13 is the difference to the next spiral
  const double golden_angle = 3.14159265358979 * (3 - std::sqrt(5.0));
  for (int seed = 0; seed < seeds; ++seed) {
    const double angle = golden_angle * seed;
    const int spiral = seed * step_to_neighbour % spirals;
    const float phase = 2 * 3.14159265f * 3 * static_cast<float>(spiral) / spirals;
    const float warm = 0.5f + 0.5f * std::sin(phase), glow = 0.5f + 0.5f * std::sin(2 * phase + 1);
    Moving moving{0, 0, 0.5f, 0, {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))}};
    place_seed(moving, seed, seeds, 0);
    scene.circles.push_back({moving.x, moving.y, 0.5f, moving.radius, 0.15f + 0.85f * warm,
                             0.25f + 0.55f * glow * warm + 0.1f * (1 - warm), 0.10f + 0.6f * (1 - warm),
                             0.6f});
    scene.velocity.push_back(moving.velocity);
  }
  return scene;
}

// One step of 1/60 second for the whole scene, on the CPU.
inline void advance(Scene& scene) {
  if (scene.animation == Animation::none) return;
  for (std::size_t i = 0; i < scene.circles.size(); ++i) {
    Circle& circle = scene.circles[i];
    Moving moving{circle.x, circle.y, circle.z, circle.radius, scene.velocity[i]};
    advance(scene.animation, moving, static_cast<int>(i), scene.count(), scene.step);
    circle.x = moving.x;
    circle.y = moving.y;
    circle.radius = moving.radius;
    scene.velocity[i] = moving.velocity;
  }
  ++scene.step;
}

// Makes the scene of that name; throws std::invalid_argument for a name that is not in scene_names().
inline Scene make_scene(const std::string& name, std::uint64_t seed) {
  std::srand(static_cast<unsigned>(seed));
  Scene scene;
  if (name == "rgb") {
    scene.circles = {{0.4f, 0.5f, 0.75f, 0.3f, 1, 0, 0, half_transparent},
                     {0.5f, 0.5f, 0.50f, 0.3f, 0, 1, 0, half_transparent},
                     {0.6f, 0.5f, 0.25f, 0.3f, 0, 0, 1, half_transparent}};
  } else if (name == "rgby") {
    scene.circles = {{0.25f, 0.25f, 0.75f, 0.19f, 1, 0, 0, half_transparent},
                     {0.3f, 0.3f, 0.50f, 0.19f, 0, 1, 0, half_transparent},
                     {0.5f, 0.5f, 0.25f, 0.25f, 0, 0, 1, half_transparent},
                     {0.2f, 0.2f, 0.90f, 0.1f, 1, 1, 0, half_transparent}};
  } else if (name == "rand10k") {
    scene.circles = random_circles({.count = 10000});
  } else if (name == "rand100k") {
    scene.circles = random_circles({.count = 100000});
  } else if (name == "rand1M") {
    scene.circles = random_circles({.count = 1000000});
  } else if (name == "biglittle") {
    scene.circles = big_and_little(0.85f);
  } else if (name == "littlebig") {
    scene.circles = big_and_little(0.05f);
  } else if (name == "micro2M") {
    scene.circles = random_circles({.count = 2000000, .fixed_radius = 0.001f, .micro_colours = true});
  } else if (name == "pattern") {
    scene.circles = pattern_circles();
  } else if (name == "snow" || name == "snowsingle") {
    scene = snow_scene();
    if (name == "snowsingle") {
      for (int step = 0; step < 240; ++step) advance(scene);
      scene.animation = Animation::none;
      scene.velocity.clear();
      scene.step = 0;
    }
  } else if (name == "bouncingballs") {
    scene = bouncing_balls_scene();
  } else if (name == "hypnosis") {
    scene = hypnosis_scene();
  } else if (name == "fireworks") {
    scene = fireworks_scene();
  } else if (name == "sunflower") {
    scene = sunflower_scene();
  } else {
    throw std::invalid_argument("there is no scene named " + name);
  }
  scene.name = name;
  return scene;
}
