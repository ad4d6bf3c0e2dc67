#include "../exercise.h"

void render(int numCircles, const float* position, const float* color, const float* radius,
            int width, int height, float* image);

// The course's circles, one after another: the position has 3 numbers (x, y, z), the color 3,
// the radius 1.
struct Circles {
  std::vector<float> position;
  std::vector<float> color;
  std::vector<float> radius;
  void add(float x, float y, float r, float red, float green, float blue) {
    position.insert(position.end(), {x, y, 0});
    color.insert(color.end(), {red, green, blue});
    radius.push_back(r);
  }
};

// One of the course's scenes: rgb, pattern, or randN, such as rand10k, rand100k, rand1M. False if
// there is none of that name.
static bool make_scene(const std::string& name, Circles& circles) {
  if (name == "rgb") {
    circles.add(.4f, .5f, .3f, 1, 0, 0);
    circles.add(.5f, .5f, .3f, 0, 1, 0);
    circles.add(.6f, .5f, .3f, 0, 0, 1);
    return true;
  }
  if (name == "pattern") {
    for (int i = 0; i < 256; ++i)
      circles.add((i % 16 + .5f) / 16, (i / 16 + .5f) / 16, 1 / 32.f, 1, 0, 0);
    for (int i = 0; i < 961; ++i) circles.add((i % 31) / 16.f, (i / 31) / 16.f, 1 / 32.f, 1, 1, 0);
    return true;
  }
  int n = 0;
  if (name == "rand100") n = 100;
  if (name == "rand10k") n = 10000;
  if (name == "rand100k") n = 100000;
  if (name == "rand1M") n = 1000000;
  std::srand(1);
  const auto u = [] { return static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX); };
  for (int i = 0; i < n; ++i) u();  // the depths
  for (int i = 0; i < n; ++i) {
    const float radius = n <= 100000 ? .02f + .06f * u() : .009f + .005f * u();
    const float x = u();
    const float y = u();
    const float red = u();
    const float green = u();
    const float blue = u();
    circles.add(x, y, radius, .1f + .9f * red, .2f + .5f * green, .5f + .5f * blue);
  }
  return n > 0;
}

// The image of size x size pixels, 4 floats each, and the pixels that are on a circle's rim.
struct Blended {
  std::vector<float> image;
  std::vector<bool> on_rim;
};

static Blended blended(const Circles& circles, int size) {
  const std::size_t pixels = static_cast<std::size_t>(size) * size;
  Blended result{std::vector<float>(4 * pixels, 1), std::vector<bool>(pixels)};
  const auto bound = [&](double value) {
    return std::clamp(static_cast<int>(value * size), 0, size);
  };
  for (std::size_t i = 0; i < circles.radius.size(); ++i) {
    const double x = circles.position[3 * i];
    const double y = circles.position[3 * i + 1];
    const double r = circles.radius[i];
    const float* color = &circles.color[3 * i];
    for (int row = bound(y - r); row < bound(y + r + 2. / size); ++row)
      for (int column = bound(x - r); column < bound(x + r + 2. / size); ++column) {
        const double dx = (column + .5) / size - x;
        const double dy = (row + .5) / size - y;
        const double inside = r * r - (dx * dx + dy * dy);
        const std::size_t p = column + static_cast<std::size_t>(row) * size;
        if (std::fabs(inside) < 1e-6) result.on_rim[p] = true;
        if (inside < 0) continue;
        float* pixel = &result.image[4 * p];
        for (int c = 0; c < 3; ++c) pixel[c] = .5f * color[c] + .5f * pixel[c];
      }
  }
  return result;
}

static void check_circles(exercise::Check& check) {
  std::vector<std::string> scenes{"rgb", "pattern", "rand100", "rand10k"};
  if (!check.scene.empty()) scenes = {check.scene};
  for (const std::string& scene : scenes) {
    const int size = check.size_or(scene == "rand10k" ? 64 : 200);  // --explain takes its time
    const std::string width = std::to_string(size);
    check.begin(scene + ", " + width + " x " + width + " pixels", scene + " -s " + width);
    check.covers(scene);
    Circles circles;
    if (!make_scene(scene, circles)) {
      std::fprintf(stderr,
                   "circles: there is no scene '%.40s', only rgb, pattern, rand100, rand10k, "
                   "rand100k, rand1M\n",
                   scene.c_str());
      std::exit(2);
    }
    const std::size_t pixels = static_cast<std::size_t>(size) * size;
    const exercise::Array<float> position("position", circles.position);
    const exercise::Array<float> color("color", circles.color);
    const exercise::Array<float> radius("radius", circles.radius);
    const exercise::Array<float> image("image", std::vector<float>(4 * pixels, 1), 4 * pixels);
    const int count = static_cast<int>(circles.radius.size());
    const auto draw = [&] {
      render(count, position.data(), color.data(), radius.data(), size, size, image.data());
    };
    draw();
    check.ran();
    if (!check.only_time) {
      const Blended expected = blended(circles, size);
      // A pixel on a circle's rim, where rounding decides whether it is covered, is not compared.
      const auto ignore = [&](std::size_t i) { return expected.on_rim[i / 4] || i % 4 == 3; };
      check.equal(exercise::component_of(size), image, expected.image, 2e-3, ignore);
    }
    check.time(draw, "Total");
  }
}

int main(int argc, char** argv) { return exercise::run("circles", argc, argv, check_circles); }
