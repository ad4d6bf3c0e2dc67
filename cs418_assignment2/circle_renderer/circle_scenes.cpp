// All scenes by name: the course's, and the sunflower, our own. A new scene is a function that
// makes it and a line in the table; if it moves, a step in advance.h.

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
#include "scene.h"

namespace circle_renderer {

namespace {

/// A random number from 0 to 1. The course draws its random numbers with C's rand(), so
/// we do too: the same library and the same srand() give the same scene. The order of
/// the draws decides the picture.
float rand_unit() { return static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX); }

constexpr Rgb red = {1, 0, 0};
constexpr Rgb green = {0, 1, 0};
constexpr Rgb blue = {0, 0, 1};
constexpr Rgb yellow = {1, 1, 0};
constexpr Rgb white = {1, 1, 1};

Rgb color_in_turn(int turn) {
  constexpr Rgb colors[] = {red, green, blue};
  return colors[turn % 3];
}

Rgb random_color() {
  return {.red = rand_unit(), .green = rand_unit(), .blue = rand_unit()};  // in this order
}

// ---- small still scenes, in which nothing is random

/// Three large circles side by side.
void rgb_scene(Scene& scene) {
  scene.circles = {{.x = 0.4f, .y = 0.5f, .z = 0.75f, .radius = 0.3f, .color = red},
                   {.x = 0.5f, .y = 0.5f, .z = 0.50f, .radius = 0.3f, .color = green},
                   {.x = 0.6f, .y = 0.5f, .z = 0.25f, .radius = 0.3f, .color = blue}};
}

/// Four circles; the last one, yellow, is the farthest by z, and is drawn on top all the same.
void rgby_scene(Scene& scene) {
  scene.circles = {{.x = 0.25f, .y = 0.25f, .z = 0.75f, .radius = 0.19f, .color = red},
                   {.x = 0.30f, .y = 0.30f, .z = 0.50f, .radius = 0.19f, .color = green},
                   {.x = 0.50f, .y = 0.50f, .z = 0.25f, .radius = 0.25f, .color = blue},
                   {.x = 0.20f, .y = 0.20f, .z = 0.90f, .radius = 0.10f, .color = yellow}};
}

/// 16 x 16 red circles in rows, and over them 31 x 31 yellow ones, half of which are outside.
void pattern_scene(Scene& scene) {
  constexpr float radius = 1.0f / 32;
  constexpr float spacing = 1.0f / 16;
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column)
      scene.circles.push_back({.x = radius + spacing * static_cast<float>(column),
                               .y = radius + spacing * static_cast<float>(row),
                               .z = 0.5f,
                               .radius = radius,
                               .color = red});
  for (int row = 0; row < 31; ++row)
    for (int column = 0; column < 31; ++column)
      scene.circles.push_back({.x = spacing * static_cast<float>(column),
                               .y = spacing * static_cast<float>(row),
                               .z = 0.25f,
                               .radius = radius,
                               .color = yellow});
}

// ---- large still scenes: rand10k, rand100k, rand1M, micro2M, biglittle, littlebig

/// First all depths are drawn and sorted, the farthest circle first; then each circle
/// draws its radius, place and color. fixed_radius: micro2M and the ground of biglittle;
/// 0: each circle draws its own.
void random_circles(Scene& scene, int count, float fixed_radius = 0, bool micro_colors = false) {
  std::vector<float> depths(static_cast<size_t>(count));
  for (float& depth : depths) depth = rand_unit();
  std::sort(depths.begin(), depths.end(), std::greater<float>());

  // Each channel of a color is least + span * u.
  struct Colors {
    Rgb least;
    Rgb span;
  };
  Colors colors = {{0.2f, 0.5f, 0.1f}, {0.5f, 0.5f, 0.4f}};
  if (count <= 10000)
    colors = {{0.1f, 0.2f, 0.5f}, {0.9f, 0.5f, 0.5f}};
  else if (count <= 100000)
    colors = {{0.3f, 0.1f, 0.1f}, {0.9f, 0.9f, 0.4f}};
  else if (micro_colors)
    colors = {{0.3f, 0.1f, 0.2f}, {0.9f, 0.3f, 0.2f}};
  for (const float z : depths) {
    float radius = fixed_radius;
    if (fixed_radius <= 0 && count > 100000)
      radius = 0.009f + 0.005f * rand_unit();
    else if (fixed_radius <= 0)
      radius = 0.02f + 0.06f * rand_unit();
    Circle circle;
    circle.x = rand_unit();
    circle.y = rand_unit();
    circle.z = z;
    circle.radius = radius;
    circle.color.red = colors.least.red + colors.span.red * rand_unit();
    circle.color.green = colors.least.green + colors.span.green * rand_unit();
    circle.color.blue = colors.least.blue + colors.span.blue * rand_unit();
    scene.circles.push_back(circle);
  }
}

/// 9,000 big circles all over, then 1,000 little ones in one corner.
void big_and_little_scene(Scene& scene, float corner) {
  random_circles(scene, 10000, 0.25f);
  for (size_t i = 9000; i < scene.circles.size(); ++i) {
    scene.circles[i].radius = 0.05f;
    scene.circles[i].x = 0.9f - corner + 0.1f * rand_unit();
    scene.circles[i].y = corner + 0.1f * rand_unit();
  }
}

// ---- scenes that move: each step is in advance.h

/// 100,000 flakes in front of a gray sky, at rest, the farthest first. (The course's own file of
/// flakes is not public: this is similar snow, not the same.)
void snow_scene(Scene& scene) {
  constexpr int flakes = 100000;
  scene.animation = Animation::snow;
  scene.snowflakes = true;
  scene.background = {{0.4f, 0.4f, 0.4f}, {0.45f, 0.45f, 0.45f}};
  // Most flakes are far away: the tenth root pushes the depths towards 1.
  std::vector<float> depths(flakes);
  for (int i = 0; i < flakes; ++i) {
    const float even = static_cast<float>(i) / flakes;
    depths[static_cast<size_t>(i)] =
        std::clamp(std::pow(even, 0.1f) - 0.05f + 0.1f * rand_unit(), 0.0f, 1.0f);
  }
  std::sort(depths.begin(), depths.end(), std::greater<float>());
  for (const float z : depths) {
    float radius = (0.08f - 0.0075f + 0.015f * rand_unit()) * snow_scale(z);
    radius = z < 0.02f ? 3 * radius : std::max(radius, 0.0075f);
    scene.circles.push_back({.x = rand_unit(),
                             .y = snow_column * rand_unit(),
                             .z = z,
                             .radius = radius,
                             .color = white});
  }
  scene.motion.resize(scene.circles.size());
}

/// The snow after 240 steps (four seconds), standing still.
void snow_single_scene(Scene& scene) {
  snow_scene(scene);
  for (int step = 0; step < 240; ++step) advance(scene);
  scene.animation = Animation::none;
  scene.motion.clear();
}

/// Ten balls that fall, bounce with a loss, and come to rest.
void bouncing_balls_scene(Scene& scene) {
  scene.animation = Animation::bouncing_balls;
  for (int i = 0; i < 10; ++i) {
    const float x = rand_unit();  // in this order: place, then velocity
    const float y = rand_unit();
    const float z = rand_unit();
    scene.circles.push_back({.x = x, .y = y, .z = z, .radius = 0.05f, .color = color_in_turn(i)});
    scene.motion.push_back({{0, rand_unit()}});
  }
}

/// 25 rings around the middle.
void hypnosis_scene(Scene& scene) {
  scene.animation = Animation::hypnosis;
  for (int i = 0; i < 25; ++i) {
    const float radius = 0.02f + 0.02f * static_cast<float>(i);
    scene.circles.push_back(
        {.x = 0.5f, .y = 0.5f, .z = 0, .radius = radius, .color = random_color()});
  }
  scene.motion.resize(scene.circles.size());
}

/// 15 bursts of 20 sparks. Circles 0 to 14 are the centers of the bursts: white on white and the
/// first to be drawn, so they are never seen. Circle 15 + 20 f + j is spark j of burst f.
void fireworks_scene(Scene& scene) {
  scene.animation = Animation::fireworks;
  for (int burst = 0; burst < bursts; ++burst)
    scene.circles.push_back(
        {.x = rand_unit(), .y = rand_unit(), .z = 0, .radius = burst_radius, .color = white});
  scene.motion.resize(bursts);
  for (int burst = 0; burst < bursts; ++burst) {
    const float2 origin = {scene.circles[burst].x, scene.circles[burst].y};
    for (int spark = 0; spark < sparks_per_burst; ++spark) {
      const float angle = 2 * 3.14159f * static_cast<float>(spark) / sparks_per_burst;
      const float2 direction = {std::cos(angle), std::sin(angle)};
      scene.circles.push_back({.x = origin.x + burst_radius * direction.x,
                               .y = origin.y + burst_radius * direction.y,
                               .z = 0,
                               .radius = 0.01f,
                               .color = color_in_turn(burst)});
      scene.motion.push_back({direction, origin});
    }
  }
}

/// Our own: the head of a sunflower that never stops growing, 2,400 seeds. Seeds whose numbers
/// differ by 34 lie in one of 34 spirals; the color goes three times through gold, red and blue on
/// the way around.
void sunflower_scene(Scene& scene) {
  scene.animation = Animation::sunflower;
  scene.background = {{0.02f, 0.04f, 0.10f}, {0.05f, 0.10f, 0.16f}};
  constexpr int seeds = 2400;
  constexpr int spirals = 34;
  // 21 * 13 = 1 modulo 34, and 13 is the difference to the next spiral.
  constexpr int step_to_neighbor = 21;
  const double golden_angle = 3.14159265358979 * (3 - std::sqrt(5.0));
  for (int seed = 0; seed < seeds; ++seed) {
    const double angle = golden_angle * seed;
    const int spiral = seed * step_to_neighbor % spirals;
    const float phase = 2 * 3.14159265f * 3 * static_cast<float>(spiral) / spirals;
    const float warm = 0.5f + 0.5f * std::sin(phase);
    const float glow = 0.5f + 0.5f * std::sin(2 * phase + 1);
    const float2 direction = {static_cast<float>(std::cos(angle)),
                              static_cast<float>(std::sin(angle))};
    const Rgb color = {0.15f + 0.85f * warm, 0.25f + 0.55f * glow * warm + 0.1f * (1 - warm),
                       0.10f + 0.6f * (1 - warm)};
    Circle circle = {.x = 0, .y = 0, .z = 0.5f, .radius = 0, .color = color, .alpha = 0.6f};
    place_seed(circle, direction, seed, seeds, 0);
    scene.circles.push_back(circle);
    scene.motion.push_back({direction});
  }
}

struct SceneMaker {
  const char* name;
  void (*make)(Scene& scene);
};
constexpr SceneMaker makers[] = {
    {"rgb", rgb_scene},
    {"rgby", rgby_scene},
    {"rand10k", [](Scene& scene) { random_circles(scene, 10000); }},
    {"rand100k", [](Scene& scene) { random_circles(scene, 100000); }},
    {"rand1M", [](Scene& scene) { random_circles(scene, 1000000); }},
    {"biglittle", [](Scene& scene) { big_and_little_scene(scene, 0.85f); }},
    {"littlebig", [](Scene& scene) { big_and_little_scene(scene, 0.05f); }},
    {"micro2M", [](Scene& scene) { random_circles(scene, 2000000, 0.001f, true); }},
    {"pattern", pattern_scene},
    {"snow", snow_scene},
    {"snowsingle", snow_single_scene},
    {"bouncingballs", bouncing_balls_scene},
    {"hypnosis", hypnosis_scene},
    {"fireworks", fireworks_scene},
    {"sunflower", sunflower_scene}};

}  // namespace

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const SceneMaker& maker : makers) names.emplace_back(maker.name);
  return names;
}

Scene make_scene(const std::string& name, std::uint64_t seed) {
  for (const SceneMaker& maker : makers) {
    if (maker.name != name) continue;
    std::srand(static_cast<unsigned>(seed));
    Scene scene;
    scene.name = name;
    maker.make(scene);
    return scene;
  }
  throw std::invalid_argument("there is no scene named " + name);
}

}  // namespace circle_renderer
