#pragma once
// What the heat programs share: their parameters, the plate's sources, the CPU reference, colors and the
// mouse. The programs themselves hold what they differ in: the memory that a step reads through.

#include <cstddef>
#include <utility>
#include <vector>

#include "../common/book.h"
#include "../common/options.h"

constexpr float max_temperature = 1.0f;
constexpr float min_temperature = 0.0001f;
constexpr int design_dim = 1024;     // the side for which the sources below are given
constexpr float book_speed = 0.25f;  // the book's k, the default of --speed
constexpr int book_steps = 90;       // the book's steps per frame, the default of --steps

/// What the heat programs add to the common options.
struct HeatParameters {
  int steps = book_steps;    ///< time steps per frame
  float speed = book_speed;  ///< k: the part of a difference between neighbors that flows in one step

  void add_to(Options& options) {
    options.add("--steps", steps, "time steps per frame", 1, 100000);
    options.add("--speed", speed, "k, the part of a difference that flows in one step", 0.0f, 0.25f,
                "the scheme is stable up to 0.25");
  }
};

/// Cells are stored row by row: cell (x, y) of a dim x dim grid is element x + y * dim.
using Grid = std::vector<float>;

/// The cells that keep their temperature, the sources; 0 marks a cell that is none. Other sizes than 1024
/// scale the coordinates.
inline Grid constant_sources(int dim) {
  const std::size_t n = dim;
  Grid grid(n * n, 0.0f);
  auto design = [dim](std::size_t x) { return static_cast<int>(x * design_dim / dim); };
  auto scaled = [dim](int x) { return static_cast<std::size_t>(x) * dim / design_dim; };
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x)
      if (design(x) > 300 && design(x) < 600 && design(y) > 310 && design(y) < 601)
        grid[x + y * n] = max_temperature;
  grid[scaled(100) + scaled(100) * n] = (max_temperature + min_temperature) / 2;
  grid[scaled(100) + scaled(700) * n] = min_temperature;
  grid[scaled(300) + scaled(300) * n] = min_temperature;
  grid[scaled(700) + scaled(200) * n] = min_temperature;
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x)
      if (design(x) >= 400 && design(x) < 500 && design(y) >= 800 && design(y) < 900)
        grid[x + y * n] = min_temperature;
  return grid;
}

/// The plate at the start: the sources, and a hot corner that is free to cool down.
inline Grid starting_grid(int dim) {
  const std::size_t n = dim;
  Grid grid = constant_sources(dim);
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x)
      if (x * design_dim / n < 200 && y * design_dim / n >= 800) grid[x + y * n] = max_temperature;
  return grid;
}

/// CPU reference: `in`, a plate of dim x dim cells, after `steps` time steps. One step: (1) the sources
/// overwrite their cells, (2) every cell takes the part `k` of the difference to its four neighbors, where
/// a neighbor outside the plate is the cell itself, (3) the grids change places. The devices must agree bit
/// for bit: all add in the same order, and none fuses a multiplication with an addition (samples.txt says
/// EXACT for these samples).
inline Grid reference_steps(Grid in, const Grid& sources, int dim, int steps, float k = book_speed) {
  const std::size_t n = dim;
  Grid out(n * n);
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < n * n; ++i)
      if (sources[i] != 0) in[i] = sources[i];
    for (std::size_t y = 0; y < n; ++y)
      for (std::size_t x = 0; x < n; ++x) {
        const std::size_t i = x + y * n;
        const float left = in[x == 0 ? i : i - 1], right = in[x == n - 1 ? i : i + 1];
        const float top = in[y == 0 ? i : i - n], bottom = in[y == n - 1 ? i : i + n];
        out[i] = in[i] + k * (top + bottom + left + right - in[i] * 4);
      }
    std::swap(in, out);
  }
  return in;
}

/// The same from the starting grid, after `frames` frames.
inline Grid reference_heat(int dim, int frames, const HeatParameters& heat = {}) {
  Grid grid = starting_grid(dim);
  const Grid sources = constant_sources(dim);
  for (int frame = 0; frame < frames; ++frame)
    grid = reference_steps(std::move(grid), sources, dim, heat.steps, heat.speed);
  return grid;
}

/// The colors of a grid whose rows begin `pitch` floats apart: blue (cold) over green and red to white
/// (hot). One thread per pixel.
__global__ void color_kernel(uchar4* pixels, const float* grid, size_t pitch, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  pixels[x + static_cast<size_t>(y) * dim] = heat_color(grid[x + y * pitch]);
}

/// The mouse heats a disc around (center_x, center_y). One thread per cell of the whole plate: simple, and
/// rare.
__global__ void add_heat_kernel(float* grid, size_t pitch, int dim, int center_x, int center_y) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const int dx = x - center_x, dy = y - center_y, radius = dim / 40 + 1;
  if (dx * dx + dy * dy <= radius * radius) grid[x + y * pitch] = max_temperature;
}
