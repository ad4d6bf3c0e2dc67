// Units of cs418_assignment2/circle_renderer: exactness, order, alpha, animation, refusals. What is
// asked of each method at sizes and in orders of threads is in circles.cmake.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "../../common/random.h"
#include "../../cs418_assignment2/circle_renderer/renderer.cuh"
#include "../../cs418_assignment2/circle_renderer/warp_tile.cuh"
#include "elsewhere.h"

using namespace circle_renderer;

namespace {

// The largest difference of the numbers of two pictures, or of circles; infinite when one is NaN.
template <class Four>
double worst_difference(const std::vector<Four>& got, const std::vector<Four>& expected) {
  const std::span<const float> a = numbers(got);
  const std::span<const float> b = numbers(expected);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = double{a[i]} - b[i];
    if (!(std::fabs(difference) <= worst))
      worst = std::isnan(difference) ? INFINITY : std::fabs(difference);
  }
  return worst;
}

std::vector<float4> reference_image(const Scene& scene, int size) {
  Renderer reference(scene, cpu_reference(), size);
  reference.draw();
  return reference.picture();
}

// All right methods that can draw the scene, or those of these names, each
// twice: nothing may be left over.
void expect_exact(const Scene& scene, int size, const std::set<std::string>& names = {}) {
  const std::vector<float4> expected = reference_image(scene, size);
  for (const CircleMethod& method : methods()) {
    if (!method.right || (!names.empty() && !names.contains(method.name)) ||
        method.refusal(scene, size))
      continue;
    Renderer renderer(scene, method, size);
    for (int frame = 0; frame < 2; ++frame) {
      renderer.draw();
      EXPECT_LE(worst_difference(renderer.picture(), expected), 1e-5)
          << scene.name << ", " << scene.count() << " circles, " << size << " pixels, "
          << method.name << ", frame " << frame;
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
    float radius = 0;
    if (kind >= 0.5f)
      radius = random.uniform(0, 0.6f);
    else if (kind >= 0.05f)
      radius = random.uniform(0, 0.02f);
    float alpha = 1;
    if (random.uniform() >= 0.1f)
      alpha = random.uniform() < 0.1f ? 0 : random.uniform(min_alpha, 1);
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
    const CircleShape shape = {x, y, radius, 0};
    int covered = 0;
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        if (!(squared_distance(pixel_center(column, size) - x, pixel_center(row, size) - y) <=
              radius * radius))
          continue;
        ++covered;
        ASSERT_TRUE(column >= columns.first && column <= columns.last && row >= rows.first &&
                    row <= rows.last);
        ASSERT_TRUE(may_touch(shape, box));
      }
    ASSERT_TRUE(!covers_all(shape, box) || covered == size * size);
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
  for (const int size : {1, 2, 15, 16, 17, 31, 33, 65})
    expect_exact(wild_scene(1500, 5, 0.5f), size);
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

TEST(Exactness, NoCirclesOneCircleAndAllOutside) {
  expect_exact(Scene{}, 33);
  for (const float x : {-3.0f, 0.5f, 1000000.0f}) {
    Scene one;
    one.circles = {{x, 0.5f, 0, 0.3f, 1, 0, 0}};
    expect_exact(one, 33);
  }
  Scene outside = wild_scene(2000, 1, 0.5f);
  for (Circle& circle : outside.circles) circle.x += 5;
  expect_exact(outside, 33);
}

TEST(Exactness, RadiusZeroCoversAPixelOnlyInItsCenter) {
  Scene scene;
  scene.circles = {{0.5f / 16, 2.5f / 16, 0, 0, 1, 0, 0, 1},
                   {0.51f / 16, 5.5f / 16, 0, 0, 1, 0, 0, 1}};
  const std::vector<float4> image = reference_image(scene, 16);
  EXPECT_EQ(image[2 * 16].y, 0);
  EXPECT_EQ(image[5 * 16].y, 1);
  expect_exact(scene, 16);
}

TEST(Exactness, AnyAlpha) {
  for (const float min : {0.0f, 0.01f, 0.3f}) expect_exact(wild_scene(1200, 11, min), 50);
  // Thousands of the same circle: here rounding adds up as badly as it can.
  for (const float alpha : {0.0f, 0.05f, 0.1f, 0.9f, 1.0f}) {
    Scene scene;
    scene.name = "stack of alpha " + std::to_string(alpha);
    scene.background = {{0.3f, 1, 0}, {0, 0, 0}};
    for (int i = 0; i < 3000; ++i)
      scene.circles.push_back({0.5f, 0.5f, 0, 0.4f, 0.9f, 0.7f, 1.2f, alpha});
    expect_exact(scene, 20, {"front", "bins", "fast"});
  }
}

TEST(Exactness, TinyCircles) {
  Random random(2);
  Scene scene;
  for (int i = 0; i < 120000; ++i)
    scene.circles.push_back({random.uniform(-0.02f, 1.02f), random.uniform(-0.02f, 1.02f), 0,
                             random.uniform(0, 0.006f), random.uniform(), random.uniform(),
                             random.uniform()});
  const CircleMethod& tiny = methods()["tiny"];
  ASSERT_FALSE(tiny.refusal(scene, 255));
  expect_exact(scene, 255, {"tiny", "fast"});
  EXPECT_TRUE(tiny.refusal(scene, 2000)) << "circles of 12 pixels are not tiny";
  scene.circles[77].alpha = 0.6f;
  EXPECT_TRUE(tiny.refusal(scene, 255)) << "two alphas";
  for (Circle& circle : scene.circles) circle.x = circle.alpha = 0.5f;
  EXPECT_TRUE(tiny.refusal(scene, 255)) << "all circles in one column of pixels";
}

// So many circles that bins draws in two passes. The newest lie on the left: tiles on
// the right are left to the second.
TEST(Exactness, TheSecondPassFinishesTheRest) {
  Scene scene = wild_scene(230000, 4, 0.5f);
  for (std::size_t i = 3000; i < scene.circles.size(); ++i) {
    scene.circles[i].radius = 0.5f;
    scene.circles[i].x = 0.1f + 0.001f * static_cast<float>(i % 100);
  }
  expect_exact(scene, 40, {"bins"});
}

// Opaque circles on top of one another: only the last one is seen.
TEST(Order, TheLastOpaqueCircleWins) {
  Scene scene;
  for (int i = 0; i < 2000; ++i)
    scene.circles.push_back({0.5f, 0.5f, 0, 0.9f - 0.0004f * static_cast<float>(i),
                             static_cast<float>(i % 7) / 7, static_cast<float>(i) / 2000, 0.5f,
                             i % 3 == 0 ? 0.98f : 1.0f});
  expect_exact(scene, 61);
  EXPECT_EQ(reference_image(scene, 61)[30 * 61 + 30].y, 1999.0f / 2000);
}

TEST(Animation, SixtyStepsOnTheDeviceAreThoseOfTheReference) {
  for (const std::string name : {"bouncingballs", "hypnosis", "fireworks", "snow", "sunflower"}) {
    Scene scene = make_scene(name, 1);
    Renderer renderer(scene, methods()["pixels"], 16);
    const std::vector<CircleShape> start = renderer.shapes();
    for (int step = 0; step < 60; ++step) {
      advance(scene);
      renderer.advance();
    }
    EXPECT_LE(worst_difference(renderer.shapes(), shapes_of(scene)), 1e-4) << name;
    EXPECT_GT(worst_difference(renderer.shapes(), start), 0) << name;
    renderer.restart();
    EXPECT_EQ(worst_difference(renderer.shapes(), start), 0) << name;
  }
}

TEST(Animation, SnowStaysInItsColumn) {
  Scene snow = make_scene("snow", 1);
  snow.circles.resize(3000);
  snow.motion.resize(3000);
  for (int step = 0; step < 1500; ++step) advance(snow);
  for (const Circle& flake : snow.circles)
    EXPECT_TRUE(flake.x >= -0.3f && flake.x <= 1.3f && flake.y >= -0.3f &&
                flake.y <= snow_column + 0.1f);
}

// A frame is cleared, advanced, then drawn: the first one shows the scene after one step.
TEST(Animation, TheFirstFrameShowsTheSceneAfterOneStep) {
  Scene scene = make_scene("hypnosis", 1);
  Renderer renderer(scene, methods()["pixels"], 64);
  renderer.next_frame();
  EXPECT_GT(worst_difference(renderer.picture(), reference_image(scene, 64)), 0.01);
  advance(scene);
  EXPECT_LE(worst_difference(renderer.picture(), reference_image(scene, 64)), 1e-5);
}

// Scenes of the course, computed here a second time from their facts: the random numbers in the
// order in which they are drawn, then steps in plain loops.
class CourseScene : public testing::Test {
 protected:
  static float u() { return static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX); }
  static void expect_alpha_and_color(const Circle& circle, std::size_t turn) {
    EXPECT_EQ(circle.alpha, 0.5f);
    EXPECT_EQ(circle.color.red, turn % 3 == 0 ? 1 : 0);
    EXPECT_EQ(circle.color.green, turn % 3 == 1 ? 1 : 0);
    EXPECT_EQ(circle.color.blue, turn % 3 == 2 ? 1 : 0);
  }
};

TEST_F(CourseScene, Still) {
  EXPECT_EQ(scene_names().size(), 15u);
  EXPECT_EQ(make_scene("rgby", 1).count(), 4);
  EXPECT_EQ(make_scene("pattern", 1).count(), 16 * 16 + 31 * 31);
  EXPECT_EQ(make_scene("snow", 1).count(), 100000);
  const Scene random = make_scene("rand10k", 1);
  for (std::size_t i = 1; i < random.circles.size(); ++i)
    ASSERT_GE(random.circles[i - 1].z, random.circles[i].z);
  std::srand(1);
  for (int i = 0; i < 10000; ++i) u();  // the depths
  EXPECT_EQ(random.circles[0].radius, 0.02f + 0.06f * u());
  EXPECT_EQ(random.circles[0].x, u());
  EXPECT_EQ(random.circles[0].y, u());
  EXPECT_EQ(random.circles[0].color.red, 0.1f + 0.9f * u());
  EXPECT_NE(make_scene("rand10k", 2).circles[77].x, random.circles[77].x);
  EXPECT_THROW(make_scene("nosuch", 1), std::invalid_argument);
}

TEST_F(CourseScene, BouncingBalls) {
  Scene scene = make_scene("bouncingballs", 2);
  ASSERT_EQ(scene.count(), 10);
  std::srand(2);
  std::vector<float> y(10), velocity(10), x(10);
  for (std::size_t i = 0; i < 10; ++i) {
    const Circle& ball = scene.circles[i];
    EXPECT_EQ(ball.x, x[i] = u());
    EXPECT_EQ(ball.y, y[i] = u());
    EXPECT_EQ(ball.z, u());
    velocity[i] = u();
    EXPECT_EQ(ball.radius, 0.05f);
    expect_alpha_and_color(ball, i);
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

// The rule that lets a ball come to rest, and what a ball at rest does: nothing.
TEST_F(CourseScene, ABallComesToRestBelowTheFloor) {
  // -.8 v - 2.8 / 60 = v where v = -.0259: the velocity turns around and is what it was before.
  Circle ball{0.5f, -0.0001f, 0, 0.05f, 0, 0, 0};
  float2 velocity{0, -0.0259f};
  for (int step = 0; step < 2; ++step) {
    advance_ball(ball, velocity);
    EXPECT_EQ(ball.y, 0);
    EXPECT_EQ(velocity.y, 0);
  }
}

TEST_F(CourseScene, Hypnosis) {
  Scene scene = make_scene("hypnosis", 5);
  ASSERT_EQ(scene.count(), 25);
  std::srand(5);
  for (std::size_t i = 0; i < 25; ++i) {
    const Circle& ring = scene.circles[i];
    EXPECT_TRUE(ring.x == 0.5f && ring.y == 0.5f && ring.z == 0 && ring.alpha == 0.5f);
    EXPECT_EQ(ring.radius, 0.02f + 0.02f * static_cast<float>(i));
    EXPECT_EQ(ring.color.red, u());
    EXPECT_EQ(ring.color.green, u());
    EXPECT_EQ(ring.color.blue, u());
  }
  float radius = scene.circles[0].radius;
  for (int step = 1; step <= 120; ++step) {
    advance(scene);
    radius = radius > 0.5f ? 0.02f : radius + 0.01f;
    ASSERT_EQ(scene.circles[0].radius, radius) << "step " << step;
  }
}

TEST_F(CourseScene, Fireworks) {
  Scene scene = make_scene("fireworks", 4);
  ASSERT_EQ(scene.count(), 315);
  std::srand(4);
  for (std::size_t f = 0; f < 15; ++f) {
    const Circle& center = scene.circles[f];
    EXPECT_EQ(center.x, u());
    EXPECT_EQ(center.y, u());
    EXPECT_EQ(center.radius, 0.005f);
    EXPECT_TRUE(center.color.red == 1 && center.color.green == 1 && center.color.blue == 1 &&
                center.z == 0);
  }
  const std::vector<Circle> first = scene.circles;
  for (int step = 0; step <= 200; ++step) {
    for (std::size_t i = 15; i < 315; ++i) {
      const Circle &center = first[(i - 15) / 20], &spark = scene.circles[i];
      const double angle = 2 * 3.14159 * static_cast<double>((i - 15) % 20) / 20;
      // A fifth of the image per second, from .005 on; the first step
      // beyond .25 starts again: 74 steps.
      const double distance = 0.005 + (step % 74) / 300.0;
      ASSERT_NEAR(spark.x, center.x + distance * std::cos(angle), 1e-5)
          << "spark " << i << ", step " << step;
      ASSERT_NEAR(spark.y, center.y + distance * std::sin(angle), 1e-5)
          << "spark " << i << ", step " << step;
      ASSERT_TRUE(step % 74 != 0 || (spark.x == first[i].x && spark.y == first[i].y));
    }
    advance(scene);
  }
  for (std::size_t i = 15; i < 315; ++i) {
    EXPECT_EQ(first[i].radius, 0.01f);
    expect_alpha_and_color(first[i], (i - 15) / 20);
  }
  // White on white: the centers change no pixel.
  Scene centers;
  centers.circles.assign(first.begin(), first.begin() + 15);
  EXPECT_EQ(worst_difference(reference_image(centers, 100), reference_image(Scene{}, 100)), 0);
}

TEST(Methods, SayWhatTheyCannotDraw) {
  const Scene few = make_scene("rgb", 1), many = make_scene("rand10k", 1),
              snow = make_scene("snow", 1);
  for (const CircleMethod& method : methods()) {
    const bool tiny = method.name == "tiny";
    EXPECT_EQ(static_cast<bool>(method.refusal(few, 64)), tiny) << method.name;
    EXPECT_EQ(static_cast<bool>(method.refusal(many, 64)), tiny || method.name == "few")
        << method.name;
    EXPECT_EQ(static_cast<bool>(method.refusal(snow, 64)),
              tiny || method.name == "few" || method.name == "front")
        << method.name;
  }
}

// A rung's header in two files of one program: this one and elsewhere.cu.
TEST(Rungs, CanBeUsedElsewhere) {
  HANDLE_ERROR(cudaFree(nullptr));  // ends with 77 where there is no device
  const Scene scene = make_scene("pattern", 1);
  EXPECT_LE(worst_difference(drawn_elsewhere(scene, 40), reference_image(scene, 40)), 1e-5);
}
