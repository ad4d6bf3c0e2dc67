#pragma once
// The shared parts of the heat programs: the plate's sources, the CPU reference, colors and the
// mouse. Each program has its own kernels for a step, because each reads another kind of memory.

#include <cstddef>
#include <utility>
#include <vector>

#include "book.h"
#include "grid.h"
#include "heat_color.h"
#include "options.h"
#include "parallel.h"

constexpr float max_temperature = 1.0f;
constexpr float min_temperature = 0.0001f;
constexpr int design_dim = 1024;  // the side for which the sources below are given
// The part of a difference between neighbors that flows in one step; stable up to 0.25.
constexpr float speed = 0.25f;
constexpr int book_steps = 90;  // per frame
constexpr int max_steps = 100000;

/// The option --steps, time steps per frame.
inline void add_steps(Options& options, int& steps) {
  options.add("--steps", steps, "time steps per frame", 1, max_steps);
}

/// The temperature of the source at cell (x, y) of a plate of dim x dim cells; 0 if there is none.
/// The coordinates below are for a plate of 1024 x 1024 cells. They are scaled to other sizes.
__host__ __device__ inline float source_at(int x, int y, int dim) {
  // Is from <= at < to, with `from` and `to` scaled to this plate?
  const auto within = [dim](long long at, long long from, long long to) {
    return at * design_dim >= from * dim && at * design_dim < to * dim;
  };
  const auto is_cell = [=](long long design_x, long long design_y) {
    return x == design_x * dim / design_dim && y == design_y * dim / design_dim;
  };
  if (within(x, 400, 500) && within(y, 800, 900)) return min_temperature;
  if (is_cell(100, 700) || is_cell(300, 300) || is_cell(700, 200)) return min_temperature;
  if (is_cell(100, 100)) return (max_temperature + min_temperature) / 2;
  if (within(x, 301, 600) && within(y, 311, 601)) return max_temperature;
  return 0;
}

/// The temperature at the start: that of the source, plus a hot corner that is free to cool down.
__host__ __device__ inline float start_at(int x, int y, int dim) {
  const bool corner = x * 1LL * design_dim < 200LL * dim && y * 1LL * design_dim >= 800LL * dim;
  return corner ? max_temperature : source_at(x, y, dim);
}

/// Calls row(y) for the rows of a plate of dim x dim cells, on all threads of the processor.
template <class Row>
void for_rows(int dim, const Row& row) {
  constexpr int band = 64;  // small plates are not worth a second thread
  parallel_for(div_up(dim, band), [&](int i) {
    for (int y = i * band; y < dim && y < (i + 1) * band; ++y) row(y);
  });
}

/// A plate: cell (x, y) of dim x dim is element x + y * dim.
template <class Temperature>
std::vector<float> make_plate(int dim, const Temperature& temperature) {
  std::vector<float> plate(static_cast<size_t>(dim) * dim);
  for_rows(dim, [&](int y) {
    for (int x = 0; x < dim; ++x) plate[x + static_cast<size_t>(y) * dim] = temperature(x, y, dim);
  });
  return plate;
}
inline std::vector<float> constant_sources(int dim) { return make_plate(dim, source_at); }
inline std::vector<float> starting_plate(int dim) { return make_plate(dim, start_at); }

/// CPU reference: `in`, a plate of dim x dim cells, after `steps` time steps. One step: (1) the
/// sources overwrite their cells, (2) every cell gains a quarter of the difference to its four
/// neighbors (a neighbor outside the plate is the cell itself), (3) the buffers change places. The
/// device must agree bit for bit: it adds in the same order and fuses no multiplication with an
/// addition (EXACT in CMakeLists.txt).
inline std::vector<float> reference_steps(std::vector<float> in, const std::vector<float>& sources,
                                          int dim, int steps) {
  const size_t n = dim;
  std::vector<float> out(n * n);
  for (int step = 0; step < steps; ++step) {
    for_rows(dim, [&](size_t y) {
      for (size_t i = y * n; i < (y + 1) * n; ++i)
        if (sources[i] != 0) in[i] = sources[i];
    });
    for_rows(dim, [&](size_t y) {
      for (size_t x = 0; x < n; ++x) {
        const size_t i = x + y * n;
        const float left = in[x == 0 ? i : i - 1];
        const float right = in[x == n - 1 ? i : i + 1];
        const float top = in[y == 0 ? i : i - n];
        const float bottom = in[y == n - 1 ? i : i + n];
        out[i] = in[i] + speed * (top + bottom + left + right - in[i] * 4);
      }
    });
    std::swap(in, out);
  }
  return in;
}

/// The same from the start, after `frames` frames.
inline std::vector<float> reference_heat(int dim, int frames, int steps = book_steps) {
  std::vector<float> plate = starting_plate(dim);
  const std::vector<float> sources = constant_sources(dim);
  for (int frame = 0; frame < frames; ++frame)
    plate = reference_steps(std::move(plate), sources, dim, steps);
  return plate;
}

/// The colors of a plate of width x height cells whose rows begin `pitch` floats apart: blue (cold)
/// over green and red to white (hot). One thread per pixel.
[[maybe_unused]] static __global__ void color_kernel(uchar4* pixels, const float* cells,
                                                     size_t pitch, int width, int height) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= width || y >= height) return;
  pixels[x + static_cast<size_t>(y) * width] = heat_color(cells[x + y * pitch]);
}

/// The mouse heats a line from (x0, y0) to (x1, y1), which may be one point. One thread per cell of
/// the whole plate: this is simple, and it happens rarely.
[[maybe_unused]] static __global__ void add_heat_kernel(float* cells, size_t pitch, int dim, int x0,
                                                        int y0, int x1, int y1) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  // The nearest point of the line is (x0, y0) + t (way_x, way_y) with t from 0 to 1.
  const float way_x = x1 - x0;
  const float way_y = y1 - y0;
  const float length2 = way_x * way_x + way_y * way_y;
  const float along = (x - x0) * way_x + (y - y0) * way_y;
  const float t = length2 > 0 ? fminf(fmaxf(along / length2, 0), 1) : 0;
  const float dx = x - x0 - t * way_x;
  const float dy = y - y0 - t * way_y;
  const float radius = dim / 40 + 1;
  if (dx * dx + dy * dy <= radius * radius) cells[x + y * pitch] = max_temperature;
}
