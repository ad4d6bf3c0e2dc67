// Every rung of ray_fast draws the picture of the CPU's plain loop, for
// scenes made to be difficult.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "../../chapter06_constant_memory/ray_fast/methods.h"
#include "../../common/book.h"
#include "../../common/device_memory.h"

using namespace ray_fast;

// Not in an unnamed namespace: there nvcc calls the members that GoogleTest adds unused.

void expect_same_picture(const std::string& scene, const std::vector<Sphere>& host, int dim) {
  const Image expected = reference_ray(dim, host);
  const DeviceMemory<Sphere> spheres(host.size());
  HANDLE_ERROR(cudaMemcpy(spheres.get(), host.data(), spheres.bytes(), cudaMemcpyHostToDevice));
  const DeviceMemory<uchar4> pixels(static_cast<std::size_t>(dim) * dim);
  for (const RayMethod& method : methods()) {
    HANDLE_ERROR(cudaMemset(pixels.get(), 0x55, pixels.bytes()));
    method.make()(spheres.get(), static_cast<int>(host.size()), pixels.get(), dim);
    std::vector<unsigned char> got(expected.rgba.size());
    HANDLE_ERROR(cudaMemcpy(got.data(), pixels.get(), pixels.bytes(), cudaMemcpyDeviceToHost));
    EXPECT_EQ(got == expected.rgba, true)
        << method.name << ", " << scene << ", " << dim << " pixels";
  }
}

TEST(RayFast, AnySizeAndNumberOfSpheres) {
  for (const int dim : {1, 2, 15, 16, 17, 33, 100})
    for (const int count : {0, 1, 2, 255, 256, 257})
      expect_same_picture("random", random_spheres(count, dim), dim);
}

TEST(RayFast, MoreSpheresThanConstantMemoryHolds) {
  constexpr int most = 64 * 1024 / sizeof(Sphere);
  for (const int count : {most - 1, most, most + 1, 2 * most + 3})
    expect_same_picture("random", random_spheres(count, 5), 40);
}

// Equal depths everywhere: the first sphere must win, whatever the order
// in which a rung meets them.
TEST(RayFast, OfEqualDepthsTheFirstWins) {
  std::vector<Sphere> same(700, Sphere{0, 0, 0, 300, 0, 0, 10});
  for (std::size_t i = 0; i < same.size(); ++i) same[i].r = static_cast<float>(i % 97) / 97;
  expect_same_picture("one sphere many times", same, 48);
}

// More spheres per tile than a list of rung 3 holds, 1024: all of them touch every tile.
TEST(RayFast, ListsThatOverflow) {
  std::vector<Sphere> large = random_spheres(3 * 1024 + 1, 9);
  for (Sphere& sphere : large) sphere.radius += 2000;
  expect_same_picture("spheres larger than the scene", large, 20);
  std::vector<Sphere> nested;
  for (int i = 0; i < 1500; ++i)
    nested.push_back({static_cast<float>(i % 7) / 7, static_cast<float>(i % 5) / 5, 0.5f,
                      static_cast<float>(1 + i % 500), 0, 0, 0});
  expect_same_picture("nested spheres", nested, 33);
}

// Rims on pixels and on the edges of tiles: at 1024 pixels a coordinate is a whole number.
TEST(RayFast, RimsOnTheEdgesOfTiles) {
  std::vector<Sphere> spheres;
  for (int i = 0; i < 40; ++i) {
    const float edge = static_cast<float>(16 * (i - 20));
    spheres.push_back({1, static_cast<float>(i) / 40, 0, 16, edge, edge, 0});
    spheres.push_back({0, static_cast<float>(i) / 40, 1, 15, edge - 1, -edge, 1});
    spheres.push_back({0.5f, 1, 0, 0.5f, edge - 0.5f, 0, 2});
  }
  expect_same_picture("rims on tile edges", spheres, 1024);
}

TEST(RayFast, ScenesScaleWithThePicture) {
  EXPECT_EQ(scene_coordinate(0, 1024), -512.0f);
  EXPECT_EQ(scene_coordinate(1023, 1024), 511.0f);
  EXPECT_EQ(scene_coordinate(0, 256), -512.0f);
  EXPECT_EQ(scene_coordinate(255, 256), 508.0f);
  EXPECT_EQ(scene_coordinate(0, 1), 0.0f);
}
