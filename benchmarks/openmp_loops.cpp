// Plain OpenMP loops that do the work of ray, heat_notexture, hist_gpu_shmem_atomics, dot and
// julia: what this machine's processor does without the emulated device. Each result is compared
// with a reference on the CPU before it is timed. A line per loop: its name and the median of five
// runs in milliseconds; emulated_table.sh reads them.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>

#include "../chapter06_constant_memory/ray_common.h"
#include "../chapter09_atomics/hist_common.h"
#include "../common/heat.h"
#include "../common/random.h"

namespace {

constexpr int dim = 1024;

void stop_unless(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "openmp_loops: %s is wrong; nothing is timed\n", what);
  std::exit(1);
}

template <typename Loop>
void time(const char* name, Loop loop) {
  std::array<double, 5> ms{};
  for (double& one : ms) {
    const auto begin = std::chrono::steady_clock::now();
    loop();
    one =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  std::sort(ms.begin(), ms.end());
  std::printf("%s %.4g\n", name, ms[2]);
}

void trace(Image& image, std::span<const Sphere> spheres) {
#pragma omp parallel for
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const float ox = x - dim / 2;
      const float oy = y - dim / 2;
      float r = 0;
      float g = 0;
      float b = 0;
      float nearest = -infinitely_far;
      for (const Sphere& s : spheres) {
        float shade = 0;
        const float depth = s.hit(ox, oy, &shade);
        if (depth > nearest) {
          r = s.r * shade;
          g = s.g * shade;
          b = s.b * shade;
          nearest = depth;
        }
      }
      unsigned char* pixel = image.pixel(x, y);
      pixel[0] = static_cast<unsigned char>(r * 255);
      pixel[1] = static_cast<unsigned char>(g * 255);
      pixel[2] = static_cast<unsigned char>(b * 255);
      pixel[3] = 255;
    }
}

void ray() {
  const std::vector<Sphere> spheres = random_spheres(20, 1);
  Image image(dim, dim);
  trace(image, spheres);
  stop_unless(image.rgba == reference_ray(dim, spheres).rgba, "ray");
  time("ray", [&] { trace(image, spheres); });
}

void heat_frame(std::vector<float>& in_grid, std::vector<float>& out_grid,
                const std::vector<float>& constants) {
  for (int step = 0; step < book_steps; ++step) {
    float* in = in_grid.data();
    float* out = out_grid.data();
    const float* constant = constants.data();
#pragma omp parallel for simd
    for (int i = 0; i < dim * dim; ++i) in[i] = constant[i] != 0 ? constant[i] : in[i];
#pragma omp parallel for
    for (int y = 0; y < dim; ++y) {
      // The rows above and below; at the border the row itself.
      const float* row = in + y * dim;
      const float* top = y == 0 ? row : row - dim;
      const float* bottom = y == dim - 1 ? row : row + dim;
      const auto blend = [=](int x, float left, float right) {
        return row[x] + speed * (top[x] + bottom[x] + left + right - row[x] * 4);
      };
      out[y * dim] = blend(0, row[0], row[1]);
#pragma omp simd
      for (int x = 1; x < dim - 1; ++x) out[x + y * dim] = blend(x, row[x - 1], row[x + 1]);
      out[dim - 1 + y * dim] = blend(dim - 1, row[dim - 2], row[dim - 1]);
    }
    std::swap(in_grid, out_grid);
  }
}

void heat() {
  const std::vector<float> constants = constant_sources(dim);
  std::vector<float> in = starting_plate(dim), out(in.size());
  heat_frame(in, out, constants);
  stop_unless(in == reference_heat(dim, 1), "heat");
  time("heat", [&] { heat_frame(in, out, constants); });
}

Histogram count(std::span<const unsigned char> bytes) {
  Histogram total{};
#pragma omp parallel
  {
    Histogram own{};
#pragma omp for
    for (std::size_t i = 0; i < bytes.size(); ++i) ++own[bytes[i]];
#pragma omp critical
    for (std::size_t bin = 0; bin < bin_count; ++bin) total[bin] += own[bin];
  }
  return total;
}

void histogram() {
  std::vector<unsigned char> bytes(100 * 1024 * 1024);
  fill_random_bytes(bytes, 1);
  Histogram counts;
  time("histogram", [&] { counts = count(bytes); });
  stop_unless(counts == reference_histogram(bytes), "histogram");
}

float dot_product(std::size_t n, const float* a, const float* b) {
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void dot() {
  constexpr std::size_t n = std::size_t{1} << 24;
  std::vector<float> a(n);
  std::vector<float> b(n);
  double exact = 0;
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 1000) / 1000;
    b[i] = static_cast<float>(i % 777) / 777;
    exact += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  float sum = 0;
  const auto add = [&] { sum = dot_product(n, a.data(), b.data()); };
  add();
  stop_unless(std::abs(static_cast<double>(sum) - exact) < 1e-3 * exact, "dot");
  time("dot", add);
}

// The steps of each pixel of a Julia set, as julia counts them.
constexpr int julia_dim = 1000;
constexpr int max_steps = 200;

template <typename Count>
void julia_steps(std::vector<int>& steps, Count count) {
#pragma omp parallel for schedule(dynamic)
  for (int y = 0; y < julia_dim; ++y)
    for (int x = 0; x < julia_dim; ++x)
      steps[static_cast<std::size_t>(x + y * julia_dim)] =
          count(1.5f * (julia_dim - 2 * x) / julia_dim, 1.5f * (julia_dim - 2 * y) / julia_dim);
}

void julia() {
  std::vector<int> steps(julia_dim * julia_dim);
  const auto count = [](float re, float im) {
    for (int step = 0; step < max_steps; ++step) {
      const float product = re * re - im * im;
      im = im * re + re * im + 0.156f;
      re = product - 0.8f;
      if (re * re + im * im > 1000) return step;
    }
    return max_steps;
  };
  julia_steps(steps, count);
  std::vector<int> expected(steps.size());
  julia_steps(expected, [](float re, float im) {
    std::complex<float> z(re, im);
    for (int step = 0; step < max_steps; ++step) {
      z = z * z + std::complex<float>(-0.8f, 0.156f);
      if (std::norm(z) > 1000) return step;
    }
    return max_steps;
  });
  stop_unless(steps == expected, "julia");
  time("julia", [&] { julia_steps(steps, count); });
}

}  // namespace

int main() {
  ray();
  heat();
  histogram();
  dot();
  julia();
}
