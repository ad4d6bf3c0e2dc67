#pragma once
// What the heat programs share: their parameters, the plate's sources, the CPU reference, colors and the
// mouse. The programs themselves hold what they differ in: the memory that a step reads through.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "../common/book.h"
#include "../common/grid.h"
#include "../common/heat_color.h"
#include "../common/options.h"

constexpr float max_temperature = 1.0f;
constexpr float min_temperature = 0.0001f;
constexpr int design_dim = 1024;     // the side for which the sources below are given
constexpr float book_speed = 0.25f;  // the book's k, the default of --speed
constexpr int book_steps = 90;       // the book's steps per frame, the default of --steps
constexpr int most_steps = 100000;

/// What the heat programs add to the common options.
struct HeatParameters {
  int steps = book_steps;    ///< time steps per frame
  float speed = book_speed;  ///< k: the part of a difference between neighbors that flows in one step

  void add_to(Options& options) {
    options.add("--steps", steps, "time steps per frame", 1, most_steps);
    options.add("--speed", speed, "k, the part of a difference that flows in one step", 0.0f, 0.25f,
                "the scheme is stable up to 0.25");
  }
};

/// Cells are stored row by row: cell (x, y) of a dim x dim grid is element x + y * dim.
using Grid = std::vector<float>;

/// Cells [begin, end) of a row or of a column.
struct CellRange {
  std::size_t begin, end;
};

/// The cells x of 0 to dim - 1 whose place in the design of 1024 x 1024 is at least `from` and less than `to`.
inline CellRange design_range(int dim, int from, int to) {
  // x * 1024 / dim >= from, rounded down, where x * 1024 >= from * dim.
  const auto first = [dim](int place) { return div_up(static_cast<std::size_t>(place) * dim, design_dim); };
  return {first(from), first(to)};
}

/// Sets the cells of columns x and rows y of the plate to `value`. `grid` holds the plate's rows first_row to
/// first_row + rows - 1 only; what lies outside of them is left out.
inline void fill_cells(Grid& grid, int dim, int first_row, int rows, CellRange x, CellRange y, float value) {
  const std::size_t top = first_row, end = top + rows;
  for (std::size_t row = std::max(y.begin, top); row < std::min(y.end, end); ++row)
    std::fill(grid.begin() + (row - top) * dim + x.begin, grid.begin() + (row - top) * dim + x.end, value);
}

/// The cells that keep their temperature, the sources; 0 marks a cell that is none. Other sizes than 1024
/// scale the coordinates. This is the plate's rows first_row to first_row + rows - 1, for programs that hold
/// a part of it.
inline Grid constant_sources(int dim, int first_row, int rows) {
  Grid grid(static_cast<std::size_t>(dim) * rows, 0.0f);
  const auto rectangle = [&](CellRange x, CellRange y, float value) {
    fill_cells(grid, dim, first_row, rows, x, y, value);
  };
  const auto cell = [&](int design_x, int design_y, float value) {
    const std::size_t x = static_cast<std::size_t>(design_x) * dim / design_dim,
                      y = static_cast<std::size_t>(design_y) * dim / design_dim;
    rectangle({x, x + 1}, {y, y + 1}, value);
  };
  rectangle(design_range(dim, 301, 600), design_range(dim, 311, 601), max_temperature);
  cell(100, 100, (max_temperature + min_temperature) / 2);
  cell(100, 700, min_temperature);
  cell(300, 300, min_temperature);
  cell(700, 200, min_temperature);
  rectangle(design_range(dim, 400, 500), design_range(dim, 800, 900), min_temperature);
  return grid;
}
inline Grid constant_sources(int dim) { return constant_sources(dim, 0, dim); }

/// The plate at the start, or rows of it as above: the sources, and a hot corner that is free to cool down.
inline Grid starting_grid(int dim, int first_row, int rows) {
  Grid grid = constant_sources(dim, first_row, rows);
  fill_cells(grid, dim, first_row, rows, design_range(dim, 0, 200), design_range(dim, 800, design_dim),
             max_temperature);
  return grid;
}
inline Grid starting_grid(int dim) { return starting_grid(dim, 0, dim); }

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
[[maybe_unused]] static __global__ void color_kernel(uchar4* pixels, const float* grid, size_t pitch,
                                                     int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  pixels[x + static_cast<size_t>(y) * dim] = heat_color(grid[x + y * pitch]);
}

/// The mouse heats a line from (x0, y0) to (x1, y1), which may be one point. One thread per cell of the whole
/// plate: simple, and rare.
[[maybe_unused]] static __global__ void add_heat_kernel(float* grid, size_t pitch, int dim, int x0, int y0,
                                                        int x1, int y1) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  // The nearest point of the line is (x0, y0) + t (way_x, way_y) with t from 0 to 1.
  const float way_x = x1 - x0, way_y = y1 - y0, length2 = way_x * way_x + way_y * way_y;
  const float along = (x - x0) * way_x + (y - y0) * way_y;
  const float t = length2 > 0 ? fminf(fmaxf(along / length2, 0), 1) : 0;
  const float dx = x - x0 - t * way_x, dy = y - y0 - t * way_y, radius = dim / 40 + 1;
  if (dx * dx + dy * dy <= radius * radius) grid[x + y * pitch] = max_temperature;
}
