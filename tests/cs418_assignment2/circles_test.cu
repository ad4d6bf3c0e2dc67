// Units of cs418_assignment2/circle_renderer: exactness, order, alpha, animation, the choice of a way, scene
// files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../../common/random.h"
#include "../../cs418_assignment2/circle_renderer/6_bins.cuh"
#include "../../cs418_assignment2/circle_renderer/circle_scenes.h"
#include "../../cs418_assignment2/circle_renderer/renderer.cuh"
#include "../../cs418_assignment2/circle_renderer/show.cuh"
#include "../common/unknown_method.h"
#include "elsewhere.h"

namespace {

// The largest difference of a color channel between two pictures of the same size; infinite when a channel
// is NaN.
double worst_difference(const std::vector<float4>& got, const std::vector<float4>& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    for (const double difference : {double{got[i].x} - expected[i].x, double{got[i].y} - expected[i].y,
                                    double{got[i].z} - expected[i].z})
      if (!(std::fabs(difference) <= worst))
        worst = std::isnan(difference) ? INFINITY : std::fabs(difference);
  return worst;
}

// The names of all methods of the table but the one that is wrong on purpose.
std::vector<std::string> right_methods() {
  std::vector<std::string> names;
  for (const CircleMethod& method : circle_methods())
    if (method.right) names.emplace_back(method.name);
  return names;
}

// The renderer of the method of that name; empty when it cannot draw the scene.
std::optional<Renderer> make_if_possible(const std::string& name, const Scene& scene, int size) {
  const CircleMethod& method = circle_methods()[name];
  std::optional<Renderer> renderer;
  if (!method.refusal(scene, size)) renderer.emplace(scene, &method, size);
  return renderer;
}

std::vector<float4> reference_image(const Scene& scene, int size) {
  Renderer reference(scene, nullptr, size);
  reference.draw();
  return reference.picture();
}

void expect_exact(const Scene& scene, int size, const std::vector<std::string>& names = right_methods()) {
  const std::vector<float4> expected = reference_image(scene, size);
  for (const std::string& method : names) {
    auto renderer = make_if_possible(method, scene, size);
    if (!renderer) continue;
    for (int frame = 0; frame < 2; ++frame) {  // nothing may be left over from the first one
      renderer->draw();
      EXPECT_LE(worst_difference(renderer->picture(), expected), 1e-5)
          << scene.name << ", " << scene.count() << " circles, " << size << " pixels, " << method
          << ", frame " << frame;
    }
  }
}

// Circles of all sizes, also far outside, with alphas from min_alpha to 1.
Scene wild_scene(int count, std::uint64_t seed, float min_alpha) {
  Random random(seed);
  Scene scene;
  scene.name = "wild";
  scene.background = {{0.2f, 0.4f, 0.6f}, {0.5f, 0.1f, 0}};
  for (int i = 0; i < count; ++i) {
    const float kind = random.uniform();
    const float radius = kind < 0.05f  ? 0.0f
                         : kind < 0.5f ? random.uniform(0, 0.02f)
                                       : random.uniform(0, 0.6f);
    const float alpha = random.uniform() < 0.1f   ? 1.0f
                        : random.uniform() < 0.1f ? 0.0f
                                                  : random.uniform(min_alpha, 1);
    scene.circles.push_back({random.uniform(-0.5f, 1.5f), random.uniform(-0.5f, 1.5f), 0.5f, radius,
                             random.uniform(), random.uniform(), random.uniform(), alpha});
  }
  return scene;
}

}  // namespace

// The tests stand outside the unnamed namespace: nvcc would warn about their unused members.

float pixel_center(int index, int size) {
  return (static_cast<float>(index) + 0.5f) / static_cast<float>(size);
}

TEST(Canvas, CenterIsTheQuotientToTheLastBit) {
  for (int size = 1; size <= 65535; size += size < 3000 ? 1 : 97) {
    const Canvas image = Canvas::of(nullptr, size);
    for (int i = 0; i < size; i += size < 3000 ? 1 : 7)
      ASSERT_EQ(image.center(i), pixel_center(i, size)) << i << " of " << size;
  }
}

TEST(Coverage, RangeAndBoxNeverMissAPixel) {
  Random random(7);
  for (int round = 0; round < 3000; ++round) {
    const int size = 1 + static_cast<int>(random.uniform() * 60);
    const Canvas image = Canvas::of(nullptr, size);
    const float x = random.uniform(-1, 2), y = random.uniform(-1, 2),
                radius = random.uniform(0, random.uniform() < 0.5f ? 0.05f : 1);
    const PixelRange columns = pixel_range(x, radius, image), rows = pixel_range(y, radius, image);
    const Box box = {pixel_center(0, size), pixel_center(size - 1, size), pixel_center(0, size),
                     pixel_center(size - 1, size)};
    int covered = 0;
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        if (!(squared_distance(pixel_center(column, size) - x, pixel_center(row, size) - y) <=
              radius * radius))
          continue;
        ++covered;
        ASSERT_TRUE(column >= columns.first && column <= columns.last && row >= rows.first &&
                    row <= rows.last);
        ASSERT_TRUE(may_touch(x, y, radius * radius, box));
      }
    ASSERT_TRUE(!covers_all(x, y, radius * radius, box) || covered == size * size);
  }
}

// Every right method on every scene at a size that is no multiple of anything.
class EveryScene : public testing::TestWithParam<std::string> {};
TEST_P(EveryScene, IsExact) {
  const Scene scene = make_scene(GetParam(), 3);
  if (scene.count() > 100000)
    expect_exact(scene, 40, {"fast"});
  else if (scene.count() > 3000)
    expect_exact(scene, 40, {"tiles", "front", "bins", "fast"});
  else
    expect_exact(scene, 75);
}
INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, testing::ValuesIn(scene_names()));

TEST(Exactness, SizesFromOnePixelOn) {
  for (const int size : {1, 2, 15, 16, 17, 31, 33, 65}) expect_exact(wild_scene(1500, 5, 0.5f), size);
}

TEST(Exactness, NoCirclesOneCircleAndAllOutside) {
  Scene none;
  none.name = "none";
  expect_exact(none, 33);
  for (const float x : {-3.0f, 0.5f, 1000000.0f}) {
    Scene one;
    one.name = "one";
    one.circles = {{x, 0.5f, 0, 0.3f, 1, 0, 0, 0.5f}};
    expect_exact(one, 33);
  }
  Scene outside = wild_scene(2000, 1, 0.5f);
  for (Circle& circle : outside.circles) circle.x += 5;
  expect_exact(outside, 33);
}

TEST(Exactness, RadiusZeroCoversAPixelOnlyInItsCenter) {
  Scene scene;
  scene.name = "points";
  scene.circles = {{0.5f / 16, 2.5f / 16, 0, 0, 1, 0, 0, 1}, {0.51f / 16, 5.5f / 16, 0, 0, 1, 0, 0, 1}};
  const std::vector<float4> image = reference_image(scene, 16);
  EXPECT_EQ(image[2 * 16].y, 0);
  EXPECT_EQ(image[5 * 16].y, 1);
  expect_exact(scene, 16);
}

TEST(Exactness, AnyAlpha) {
  for (const float least : {0.0f, 0.01f, 1.0f / 16, 0.3f}) expect_exact(wild_scene(1200, 11, least), 50);
  // Thousands of the same faint circle: here rounding adds up as badly as it can.
  for (const float alpha : {0.0f, 0.001f, 0.0624f, 0.0625f, 0.1f, 0.9f, 1.0f}) {
    Scene scene;
    scene.name = "stack of alpha " + std::to_string(alpha);
    scene.background = {{0.3f, 1, 0}, {0, 0, 0}};
    for (int i = 0; i < 3000; ++i) scene.circles.push_back({0.5f, 0.5f, 0, 0.4f, 0.9f, 0.7f, 1.2f, alpha});
    expect_exact(scene, 20, {"front", "bins", "fast"});
  }
}

TEST(Exactness, TinyCircles) {
  Random random(2);
  Scene scene;
  scene.name = "tiny";
  for (int i = 0; i < 120000; ++i)
    scene.circles.push_back({random.uniform(-0.02f, 1.02f), random.uniform(-0.02f, 1.02f), 0,
                             random.uniform(0, 0.006f), random.uniform(), random.uniform(), random.uniform(),
                             0.5f});
  ASSERT_TRUE(make_if_possible("tiny", scene, 255));
  expect_exact(scene, 255, {"tiny", "fast"});
  for (Circle& circle : scene.circles) circle.alpha = random.uniform();
  expect_exact(scene, 255, {"tiny"});
  EXPECT_FALSE(make_if_possible("tiny", scene, 2000)) << "circles of 12 pixels are not tiny";
}

// Two passes: the first leaves the corner unfinished, where the newest circles are not.
TEST(Exactness, TheSecondPassFinishesTheRest) {
  Scene scene = wild_scene(3000, 4, 0.5f);
  for (std::size_t i = 2000; i < scene.circles.size(); ++i) {
    scene.circles[i].x = 0.3f;
    scene.circles[i].y = 0.3f;
    scene.circles[i].radius = std::min(scene.circles[i].radius, 0.3f);
  }
  const std::vector<float4> expected = reference_image(scene, 90);
  for (const int newest : {1, 33, 1000, 2999, 3000}) {
    CircleMethod two_passes = circle_methods()["bins"];
    two_passes.maker = [newest](const Scene& of, int size) {
      return [bins = std::make_shared<Bins>(of, size, newest)](const Circles& circles, const Canvas& image,
                                                               cudaStream_t stream) {
        bins->run(circles, image, stream);
      };
    };
    Renderer renderer(scene, &two_passes, 90);
    for (int frame = 0; frame < 2; ++frame) {
      renderer.draw();
      EXPECT_LE(worst_difference(renderer.picture(), expected), 1e-5) << newest;
    }
  }
}

// Opaque circles on top of one another: only the last one is seen.
TEST(Order, TheLastOpaqueCircleWins) {
  Scene scene;
  scene.name = "opaque";
  for (int i = 0; i < 2000; ++i)
    scene.circles.push_back({0.5f, 0.5f, 0, 0.9f - 0.0004f * static_cast<float>(i),
                             static_cast<float>(i % 7) / 7, static_cast<float>(i) / 2000, 0.5f,
                             i % 3 == 0 ? 0.98f : 1.0f});
  expect_exact(scene, 61);
  for (const std::string& method : right_methods()) {
    auto renderer = make_if_possible(method, scene, 61);
    if (!renderer) continue;
    renderer->draw();
    EXPECT_EQ(renderer->picture()[30 * 61 + 30].y, 1999.0f / 2000) << method;
  }
}

TEST(Animation, SixtyStepsOnTheDeviceAreThoseOfTheReference) {
  for (const std::string name : {"bouncingballs", "hypnosis", "fireworks", "snow", "sunflower"}) {
    const Scene scene = make_scene(name, 1);
    Renderer reference(scene, nullptr, 16), renderer(scene, &circle_methods()["pixels"], 16);
    const std::vector<float4> start = renderer.shapes();
    for (int step = 0; step < 60; ++step) {
      reference.advance();
      renderer.advance();
    }
    EXPECT_LE(worst_difference(renderer.shapes(), reference.shapes()), 1e-4) << name;
    EXPECT_GT(worst_difference(renderer.shapes(), start), 0) << name;
    renderer.restart();
    EXPECT_EQ(worst_difference(renderer.shapes(), start), 0) << name;
  }
}

TEST(Animation, StaysInBoundsForALongTime) {
  Scene balls = make_scene("bouncingballs", 1), snow = make_scene("snow", 1);
  snow.circles.resize(3000);
  snow.velocity.resize(3000);
  for (int step = 0; step < 1500; ++step) {
    advance(balls);
    advance(snow);
  }
  for (const Circle& ball : balls.circles)
    EXPECT_TRUE(ball.x > -0.1f && ball.x < 1.1f && ball.y > -0.1f && ball.y < 1.5f);
  for (const Circle& flake : snow.circles)
    EXPECT_TRUE(flake.x >= -0.3f && flake.x <= 1.3f && flake.y >= -0.3f && flake.y <= snow_column + 0.1f);
}

TEST(Scenes, HaveTheNumbersOfTheCourse) {
  EXPECT_EQ(scene_names().size(), 15u);
  EXPECT_EQ(make_scene("rgby", 1).count(), 4);
  EXPECT_EQ(make_scene("pattern", 1).count(), 16 * 16 + 31 * 31);
  EXPECT_EQ(make_scene("snow", 1).count(), 100000);
  EXPECT_EQ(make_scene("bouncingballs", 1).count(), 10);
  EXPECT_EQ(make_scene("hypnosis", 1).count(), 25);
  EXPECT_EQ(make_scene("fireworks", 1).count(), 15 + 15 * 20);
  const Scene random = make_scene("rand10k", 1);
  for (std::size_t i = 1; i < random.circles.size(); ++i)
    ASSERT_GE(random.circles[i - 1].z, random.circles[i].z);
  std::srand(1);
  std::vector<float> drawn(10000 + 6);
  for (float& value : drawn) value = static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX);
  EXPECT_EQ(random.circles[0].radius, 0.02f + 0.06f * drawn[10000]);
  EXPECT_EQ(random.circles[0].x, drawn[10001]);
  EXPECT_EQ(random.circles[0].blue, 0.5f + 0.5f * drawn[10005]);
  EXPECT_EQ(make_scene("rand10k", 1).circles[77].x, random.circles[77].x);
  EXPECT_NE(make_scene("rand10k", 2).circles[77].x, random.circles[77].x);
  EXPECT_THROW(make_scene("nosuch", 1), std::invalid_argument);
}

// The three animated scenes of the course, computed here a second time from their facts: the random numbers
// in the order in which they are drawn, then n steps in plain loops.
class CourseScene : public testing::Test {
 protected:
  static float u() { return static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX); }
  static void expect_alpha_and_color(const Circle& circle, int kind) {
    EXPECT_EQ(circle.alpha, 0.5f);
    EXPECT_EQ(circle.red, kind == 0 ? 1 : 0);
    EXPECT_EQ(circle.green, kind == 1 ? 1 : 0);
    EXPECT_EQ(circle.blue, kind == 2 ? 1 : 0);
  }
};

TEST_F(CourseScene, BouncingBalls) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    Scene scene = make_scene("bouncingballs", seed);
    ASSERT_EQ(scene.count(), 10);
    std::srand(seed);
    std::vector<float> y(10), velocity(10), x(10);
    for (std::size_t i = 0; i < 10; ++i) {
      const Circle& ball = scene.circles[i];
      EXPECT_EQ(ball.x, x[i] = u());
      EXPECT_EQ(ball.y, y[i] = u());
      EXPECT_EQ(ball.z, u());
      velocity[i] = u();
      EXPECT_EQ(ball.radius, 0.05f);
      expect_alpha_and_color(ball, static_cast<int>(i % 3));
    }
    const float dt = 1.0f / 60;
    for (int step = 1; step <= 1200; ++step) {
      advance(scene);
      for (std::size_t i = 0; i < 10; ++i) {
        if (y[i] != 0 || velocity[i] != 0) {
          const float y_before = y[i], velocity_before = velocity[i];
          if (y[i] < 0 && velocity[i] < 0) velocity[i] *= -0.8f;
          velocity[i] += -2.8f * dt;
          y[i] += velocity[i] * dt;
          if (std::fabs(velocity[i] - velocity_before) < 0.001f && y_before < 0 &&
              std::fabs(y[i] - y_before) < 0.001f)
            y[i] = velocity[i] = 0;
        }
        ASSERT_EQ(scene.circles[i].y, y[i]) << "ball " << i << ", step " << step;
        ASSERT_EQ(scene.circles[i].x, x[i]);
      }
    }
  }
}

// The rule that lets a ball come to rest, and what a ball at rest does: nothing.
TEST_F(CourseScene, ABallComesToRestBelowTheFloor) {
  // -.8 v - 2.8 / 60 = v where v = -.0259: the velocity turns around and is what it was before.
  Moving ball{0.5f, -0.0001f, 0, 0.05f, {0, -0.0259f}};
  advance_ball(ball);
  EXPECT_EQ(ball.y, 0);
  EXPECT_EQ(ball.velocity.y, 0);
  advance_ball(ball);
  EXPECT_EQ(ball.y, 0);
  EXPECT_EQ(ball.velocity.y, 0);
}

TEST_F(CourseScene, Hypnosis) {
  Scene scene = make_scene("hypnosis", 5);
  ASSERT_EQ(scene.count(), 25);
  std::srand(5);
  std::vector<float> radius(25);
  for (std::size_t i = 0; i < 25; ++i) {
    const Circle& ring = scene.circles[i];
    EXPECT_EQ(ring.x, 0.5f);
    EXPECT_EQ(ring.y, 0.5f);
    EXPECT_EQ(ring.z, 0);
    EXPECT_EQ(ring.radius, radius[i] = 0.02f + 0.02f * static_cast<float>(i));
    EXPECT_EQ(ring.red, u());
    EXPECT_EQ(ring.green, u());
    EXPECT_EQ(ring.blue, u());
    EXPECT_EQ(ring.alpha, 0.5f);
  }
  for (int step = 1; step <= 120; ++step) {
    advance(scene);
    for (std::size_t i = 0; i < 25; ++i) {
      radius[i] = radius[i] > 0.5f ? 0.02f : radius[i] + 0.01f;
      ASSERT_EQ(scene.circles[i].radius, radius[i]) << "ring " << i << ", step " << step;
      ASSERT_EQ(scene.circles[i].x, 0.5f);
    }
  }
}

TEST_F(CourseScene, Fireworks) {
  Scene scene = make_scene("fireworks", 4);
  ASSERT_EQ(scene.count(), 315);
  std::srand(4);
  std::vector<double> x(315), y(315), start_x(315), start_y(315), velocity_x(315), velocity_y(315);
  for (std::size_t f = 0; f < 15; ++f) {
    const Circle& center = scene.circles[f];
    EXPECT_EQ(center.x, u());
    EXPECT_EQ(center.y, u());
    EXPECT_EQ(center.z, 0);
    EXPECT_EQ(center.radius, 0.005f);
    EXPECT_TRUE(center.red == 1 && center.green == 1 && center.blue == 1);
    for (std::size_t j = 0; j < 20; ++j) {
      const std::size_t i = 15 + 20 * f + j;
      const double angle = 2 * 3.14159 * static_cast<double>(j) / 20;
      velocity_x[i] = std::cos(angle) / 5;
      velocity_y[i] = std::sin(angle) / 5;
      x[i] = start_x[i] = center.x + 0.005 * std::cos(angle);
      y[i] = start_y[i] = center.y + 0.005 * std::sin(angle);
      EXPECT_NEAR(scene.circles[i].x, x[i], 1e-6);
      EXPECT_NEAR(scene.circles[i].y, y[i], 1e-6);
      EXPECT_EQ(scene.circles[i].radius, 0.01f);
      expect_alpha_and_color(scene.circles[i], static_cast<int>(f % 3));
    }
  }
  const std::vector<Circle> first = scene.circles;
  for (int step = 1; step <= 200; ++step) {
    advance(scene);
    for (std::size_t i = 15; i < 315; ++i) {
      const Circle& center = first[(i - 15) / 20];
      x[i] += velocity_x[i] / 60;
      y[i] += velocity_y[i] / 60;
      if (std::hypot(x[i] - center.x, y[i] - center.y) > 0.25) {
        x[i] = start_x[i];
        y[i] = start_y[i];
        ASSERT_EQ(scene.circles[i].x, first[i].x) << "a spark starts again as at first";
        ASSERT_EQ(scene.circles[i].y, first[i].y);
      }
      ASSERT_NEAR(scene.circles[i].x, x[i], 1e-5) << "spark " << i << ", step " << step;
      ASSERT_NEAR(scene.circles[i].y, y[i], 1e-5) << "spark " << i << ", step " << step;
    }
    for (std::size_t f = 0; f < 15; ++f) ASSERT_EQ(scene.circles[f].x, first[f].x);
  }
  // White on white: the centers change no pixel.
  Scene centers = scene;
  centers.circles.resize(15);
  Scene nothing = scene;
  nothing.circles.clear();
  EXPECT_EQ(worst_difference(reference_image(centers, 100), reference_image(nothing, 100)), 0);
}

// A frame is cleared, advanced, then drawn: the first one shows the scene after one step.
TEST(Animation, TheFirstFrameShowsTheSceneAfterOneStep) {
  Scene scene = make_scene("hypnosis", 1);
  Renderer reference(scene, nullptr, 64), renderer(scene, &circle_methods()["pixels"], 64);
  reference.next_frame();
  renderer.next_frame();
  const std::vector<float4> still = reference_image(scene, 64);
  advance(scene);
  const std::vector<float4> after_a_step = reference_image(scene, 64);
  EXPECT_EQ(worst_difference(reference.picture(), after_a_step), 0);
  EXPECT_LE(worst_difference(renderer.picture(), after_a_step), 1e-5);
  EXPECT_GT(worst_difference(reference.picture(), still), 0.01);
}

TEST(Methods, TheTableHasEachNameOnceAndNoOther) {
  std::set<std::string> names;
  for (const CircleMethod& method : circle_methods()) {
    EXPECT_TRUE(names.insert(method.name).second) << method.name;
    EXPECT_FALSE(method.help.empty()) << method.name;
    EXPECT_EQ(circle_methods()[method.name].help, method.help);
    EXPECT_EQ(method.right, method.name != "broken");
  }
  EXPECT_EQ(names.size(), 9u);
  expect_unknown_methods_refused(circle_methods());
}

TEST(Methods, SayWhatTheyCannotDraw) {
  const Scene few = make_scene("rgb", 1), many = make_scene("rand10k", 1), moving = make_scene("hypnosis", 1);
  for (const CircleMethod& method : circle_methods()) {
    const bool tiny = method.name == "tiny";
    EXPECT_EQ(static_cast<bool>(method.refusal(few, 64)), tiny) << method.name;
    EXPECT_EQ(static_cast<bool>(method.refusal(moving, 64)), tiny) << method.name;
    EXPECT_EQ(static_cast<bool>(method.refusal(many, 64)), tiny || method.name == "few") << method.name;
  }
  EXPECT_NE(circle_methods()["tiny"].refusal(few, 64).why.find("100000"), std::string::npos);
  EXPECT_NE(circle_methods()["tiny"].refusal(moving, 64).why.find("still"), std::string::npos);
  EXPECT_NE(circle_methods()["few"].refusal(many, 64).why.find("32"), std::string::npos);
}

// A round takes 256 circles: scenes that end exactly there, one before and one after.
TEST(Exactness, AroundARoundsSize) {
  for (const int count : {255, 256, 257, 512, 513}) {
    Scene scene = wild_scene(count, 9, 0.5f);
    expect_exact(scene, 18, {"cached", "tiles"});
    for (Circle& circle : scene.circles) circle.radius = 2;  // every circle touches every tile
    expect_exact(scene, 18, {"cached", "tiles"});
  }
}

// The window's keys.
TEST(Keys, ChangeSceneAndMethod) {
  Stage stage(make_scene("pattern", 1), &circle_methods()["tiles"], 32, 1);
  EXPECT_EQ(stage.title(), "tiles, pattern");
  stage.key('m');
  EXPECT_EQ(stage.title(), "front, pattern");
  stage.key('m');  // pattern has too many circles for `few`
  EXPECT_EQ(stage.title(), "bins, pattern");
  stage.key('m');  // and too few for `tiny`
  EXPECT_EQ(stage.title(), "fast, pattern");
  stage.key('m');
  EXPECT_EQ(stage.title(), "broken, pattern");
  stage.key('m');
  stage.key('1');
  EXPECT_EQ(stage.title(), "pixels, rgb");
  for (int i = 0; i < 4; ++i) stage.key('m');
  EXPECT_EQ(stage.title(), "few, rgb");
  stage.key('9');  // has more circles than `few` takes
  EXPECT_EQ(stage.title(), "fast, pattern");
  stage.key('n');
  EXPECT_EQ(stage.scene().name, "snow");
  stage.key('x');  // no key of ours
  EXPECT_EQ(stage.scene().name, "snow");
  stage.key('2');
  stage.renderer().next_frame();
  EXPECT_LE(worst_difference(stage.renderer().picture(), reference_image(make_scene("rgby", 1), 32)), 1e-5);
}

// A rung's header in two files of one program: this one and elsewhere.cu.
TEST(Rungs, CanBeUsedElsewhere) {
  HANDLE_ERROR(cudaFree(nullptr));  // ends with 77 where there is no device
  const Scene scene = make_scene("pattern", 1);
  EXPECT_LE(worst_difference(drawn_elsewhere(scene, 40), reference_image(scene, 40)), 1e-5);
}

class SceneFile : public testing::Test {
 protected:
  Scene read(const std::string& text) {
    path_ = testing::TempDir() + "circles_" + std::to_string(::getpid()) + ".txt";
    std::ofstream(path_) << text;
    return read_scene(path_);
  }
  // The error, after the file's name.
  std::string error(const std::string& text) {
    try {
      read(text);
    } catch (const std::runtime_error& problem) {
      const std::string what = problem.what();
      EXPECT_EQ(what.substr(0, path_.size()), path_);
      return what.substr(path_.size());
    }
    return "no error";
  }
  void TearDown() override {
    if (!path_.empty()) std::filesystem::remove(path_);
  }
  std::string path_;
};

TEST_F(SceneFile, ReadsCirclesCommentsAndBackground) {
  const Scene scene = read(
      "# two circles\n\n circles 2 # header\r\nbackground 0.1 0.2 0.3\n.4 .5 .75 .3 1 0 0 .5\n"
      "+1e-1\t-2 0 0   0 2 0 1 # opaque\n");
  ASSERT_EQ(scene.count(), 2);
  EXPECT_EQ(scene.background.at_the_top.blue, 0.3f);
  EXPECT_EQ(scene.circles[0].z, 0.75f);
  EXPECT_EQ(scene.circles[1].x, 0.1f);
  EXPECT_EQ(scene.circles[1].y, -2.0f);
  EXPECT_EQ(scene.circles[1].alpha, 1.0f);
  EXPECT_EQ(read("circles 0\n").count(), 0);
}

TEST_F(SceneFile, ErrorsNameTheLine) {
  EXPECT_EQ(error("circles 1\n.4 .5 .75 .3 1 0 nan .5\n"), ":2: blue must lie between 0 and 2, not nan");
  EXPECT_EQ(error("circles 1\nnan .5 .75 .3 1 0 0 .5\n"), ":2: x must lie between -1e+06 and 1e+06, not nan");
  EXPECT_EQ(error("circles 1\n.4 inf .75 .3 1 0 0 .5\n"), ":2: y must lie between -1e+06 and 1e+06, not inf");
  EXPECT_EQ(error("circles 1\n\n.4 .5 .75 -.3 1 0 0 .5\n"),
            ":3: radius must lie between 0 and 1e+06, not -.3");
  EXPECT_EQ(error("circles 1\n.4 .5 .75 .3 1 0 0 1.5\n"), ":2: alpha must lie between 0 and 1, not 1.5");
  EXPECT_EQ(error("circles 1\n.4 .5 .75 .3 1 0 0\n"),
            ":2: a circle has eight numbers, x y z radius red green blue alpha, but here are 7");
  EXPECT_EQ(error("circles 1\n.4 .5 .75 .3 1 0 0 half\n"), ":2: alpha is not a number: half");
  EXPECT_EQ(error("circles 2\n.4 .5 .75 .3 1 0 0 1\n"), ":2: the file ends after 1 of 2 circles");
  EXPECT_EQ(error("circles 0\n.4 .5 .75 .3 1 0 0 1\n"),
            ":2: more circles than the 0 that the header promises");
  EXPECT_NE(error("circles -1\n").find(":1: the first line must be"), std::string::npos);
  EXPECT_NE(error("0 0 0 0\n").find(":1: the first line must be"), std::string::npos);
  EXPECT_NE(error("# nothing\n").find("is missing"), std::string::npos);
  EXPECT_NE(error("").find("is missing"), std::string::npos);
  EXPECT_THROW(read_scene("/no/such/file"), std::runtime_error);
}
