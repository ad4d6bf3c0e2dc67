#pragma once
// The tiles of 8_tiny.cuh, and what their lists need: counted once per scene, on the host.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "cuda_renderer.cuh"

/// A tile, for this rung: 32 x 8 pixels, one thread of a block each.
struct TinyTile {
  static constexpr int width = 32, height = 8, pixels = width * height;
};

constexpr int tiny_records_per_thread = 3;
constexpr int tiny_most_records = tiny_records_per_thread * TinyTile::pixels;  // of a tile
constexpr int tiny_slot_bits = 11;                                             // a record's place in its list
static_assert(tiny_most_records < 1 << tiny_slot_bits);
constexpr int tiny_most_circles = 1 << (32 - tiny_slot_bits);  // number and slot share 32 bits
constexpr int tiny_most_depth = 32;                            // circles over a pixel

/// The tiles that a circle may touch: at most two each way, because it is much smaller than a tile. The k-th
/// of `count` is at(k).
struct TinyTiles {
  int first, columns, count;

  __host__ __device__ int at(int k, int tiles_across) const {
    return first + (k & (columns - 1)) + (k >= columns ? tiles_across : 0);
  }
};
__host__ __device__ inline TinyTiles tiny_tiles(const float4& shape, const PixelGrid& grid,
                                                int tiles_across) {
  const PixelRange columns = pixel_range(shape.x, shape.z, grid), rows = pixel_range(shape.y, shape.z, grid);
  if (columns.first > columns.last || rows.first > rows.last) return {0, 1, 0};
  const int left = columns.first / TinyTile::width, right = columns.last / TinyTile::width;
  const int low = rows.first / TinyTile::height, high = rows.last / TinyTile::height;
  return {low * tiles_across + left, right - left + 1, (right - left + 1) * (high - low + 1)};
}

/// The lists of all tiles: tile t has the records[t * capacity ...], counts[t] of them.
struct TinyLists {
  float4* records;  // x, y, radius, and the circle's number as bits
  int* counts;      // all 0 before and after a frame
  int capacity;
  int tiles_across, tiles_up;
  float alpha;  // of all circles; negative when they differ
};

/// What the lists need, or why the scene cannot be drawn in this way.
struct TinyPlan {
  int capacity = 0;     ///< records per tile
  int depth = 0;        ///< circles over a pixel, at most
  float alpha = -1;     ///< of all circles; negative when they differ
  std::string problem;  ///< a clause; empty when the scene suits

  static TinyPlan of(const Scene& scene, int size) {
    TinyPlan plan;
    plan.problem = obvious_problem(scene, size);
    if (plan.problem.empty()) plan.count(scene, size);
    return plan;
  }

 private:
  static std::string obvious_problem(const Scene& scene, int size) {
    constexpr float largest_radius = 2.5f;  // pixels
    constexpr std::size_t least_circles = 100000;
    constexpr int most_tiles = 16384;  // their counters must fit into 64 KiB of shared memory
    if (scene.animation != Animation::none || scene.snowflakes) return "it takes still scenes without snow";
    if (scene.circles.size() < least_circles || scene.circles.size() > tiny_most_circles)
      return "it takes " + std::to_string(least_circles) + " to " + std::to_string(tiny_most_circles) +
             " circles";
    for (const Circle& circle : scene.circles)
      if (!(circle.radius * static_cast<float>(size) <= largest_radius))
        return "it takes circles with a radius of at most 2.5 pixels";
    if (div_up(size, TinyTile::width) * div_up(size, TinyTile::height) > most_tiles)
      return "the image has too many tiles";
    return "";
  }

  void count(const Scene& scene, int size) {
    constexpr std::size_t list_bytes_per_circle = 34;
    const int across = div_up(size, TinyTile::width), up = div_up(size, TinyTile::height);
    const PixelGrid grid = PixelGrid::of(size);
    std::vector<float> centers;
    for (int i = 0; i < size; ++i) centers.push_back(pixel_center(i, size));
    const auto index = [](int row, int width, int column) {
      return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
             static_cast<std::size_t>(column);
    };
    std::vector<int> records(static_cast<std::size_t>(across) * static_cast<std::size_t>(up));
    std::vector<int> over_pixel(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    for (const Circle& circle : scene.circles) {
      const TinyTiles tiles = tiny_tiles(make_float4(circle.x, circle.y, circle.radius, 0), grid, across);
      for (int k = 0; k < tiles.count; ++k) ++records[static_cast<std::size_t>(tiles.at(k, across))];
      // Every pixel that it may cover: a little too many, which does no harm.
      const PixelRange columns = pixel_range(circle.x, circle.radius, grid);
      const PixelRange rows = pixel_range(circle.y, circle.radius, grid);
      for (int row = rows.first; row <= rows.last; ++row)
        for (int column = columns.first; column <= columns.last; ++column) {
          const float dx = centers[static_cast<std::size_t>(column)] - circle.x;
          const float dy = centers[static_cast<std::size_t>(row)] - circle.y;
          over_pixel[index(row, size, column)] += squared_distance(dx, dy) <= circle.radius * circle.radius;
        }
    }
    alpha = scene.circles[0].alpha;
    for (const Circle& circle : scene.circles)
      if (circle.alpha != scene.circles[0].alpha) alpha = -1;
    capacity = *std::max_element(records.begin(), records.end());
    depth = *std::max_element(over_pixel.begin(), over_pixel.end());
    const std::size_t list_bytes = records.size() * static_cast<std::size_t>(capacity) * sizeof(float4);
    if (capacity > tiny_most_records || depth > tiny_most_depth)
      problem = "too many circles lie over one tile or one pixel";
    else if (list_bytes > list_bytes_per_circle * scene.circles.size())
      problem = "the circles crowd, so its lists would take too much memory";
  }
};
