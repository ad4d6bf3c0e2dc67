#include "../exercise.h"

#ifndef ONE_PROGRAM  // of the tests, where the solution comes first
// As the reader's file declares it. Whole numbers as coordinates, so that CPU and GPU agree on who
// is hit.
struct Sphere {
  float r, g, b;
  float radius;
  float x, y, z;
};
#endif

void ray(const Sphere* host_spheres, int count, int dim, unsigned char* pixels);

static std::vector<Sphere> random_spheres(int count, int dim) {
  const std::vector<float> numbers = exercise::random_numbers<float>(7 * count, 1000);
  const float span = static_cast<float>(dim);
  std::vector<Sphere> spheres(count);
  for (int i = 0; i < count; ++i) {
    const float* v = &numbers[7 * i];
    spheres[i] = {v[0] / 1000,
                  v[1] / 1000,
                  v[2] / 1000,
                  2 + std::floor(span * v[3] / 5000),
                  std::floor(span * (v[4] - 500) / 1000),
                  std::floor(span * (v[5] - 500) / 1000),
                  v[6] - 500};
  }
  return spheres;
}

// The picture, as chapter 6 draws it: RGBA of dim x dim pixels.
static std::vector<unsigned char> traced(const std::vector<Sphere>& spheres, int dim) {
  std::vector<unsigned char> picture(static_cast<std::size_t>(dim) * dim * 4);
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      float color[3] = {0, 0, 0};
      float nearest = -2e10f;
      for (const Sphere& sphere : spheres) {
        const float dx = static_cast<float>(x - dim / 2) - sphere.x;
        const float dy = static_cast<float>(y - dim / 2) - sphere.y;
        const float dz_squared = sphere.radius * sphere.radius - dx * dx - dy * dy;
        if (!(dz_squared > 0)) continue;
        const float dz = std::sqrt(dz_squared);
        if (dz + sphere.z <= nearest) continue;
        nearest = dz + sphere.z;
        const float shade = dz / sphere.radius;
        color[0] = sphere.r * shade;
        color[1] = sphere.g * shade;
        color[2] = sphere.b * shade;
      }
      unsigned char* pixel = &picture[4 * (x + static_cast<std::size_t>(y) * dim)];
      for (int c = 0; c < 3; ++c) pixel[c] = static_cast<unsigned char>(color[c] * 255);
      pixel[3] = 255;
    }
  return picture;
}

static void check_ray(exercise::Check& check) {
  check.for_sizes({1, 16, 33, 200}, [&](int dim) {
    for (const int count : {0, 1, 20}) {
      check.begin(std::to_string(dim) + " x " + std::to_string(dim) + " pixels, " +
                      std::to_string(count) + " spheres",
                  "-n " + std::to_string(dim));
      const std::vector<Sphere> spheres = random_spheres(count, dim);
      const std::vector<unsigned char> expected = traced(spheres, dim);
      const exercise::Array<unsigned char> pixels("pixels", expected.size());
      ray(spheres.data(), count, dim, pixels.data());
      check.ran();
      constexpr int rounding = 1;  // of a color; the alpha is exact
      const auto is_alpha = [](std::size_t i) { return i % 4 == 3; };
      const auto is_color = [](std::size_t i) { return i % 4 != 3; };
      check.equal(exercise::component_of(dim), pixels, expected, rounding, is_alpha);
      check.equal(exercise::component_of(dim), pixels, expected, 0, is_color);
    }
  });
}

int main(int argc, char** argv) { return exercise::run("ray", argc, argv, check_ray); }
