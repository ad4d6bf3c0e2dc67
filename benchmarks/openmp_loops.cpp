// Plain OpenMP loops that do the work of ray, heat_notexture and hist_gpu_shmem_atomics: what this machine's
// processor does without the emulated device. Each result is compared with the sample's CPU reference before
// it is timed.
#include <benchmark/benchmark.h>
#include <omp.h>

#include <cstdio>
#include <cstdlib>

#include "../chapter06_constant_memory/ray_common.h"
#include "../chapter07_texture_memory/heat_common.h"
#include "../chapter09_atomics/hist_common.h"
#include "../common/random.h"

namespace {

constexpr int dim = 1024;

void stop_unless(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "openmp_loops: %s is wrong; nothing is timed\n", what);
  std::exit(1);
}

void trace(Image& image, std::span<const Sphere> spheres) {
#pragma omp parallel for
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const float ox = x - dim / 2, oy = y - dim / 2;
      float r = 0, g = 0, b = 0, nearest = -infinitely_far;
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

void ray(benchmark::State& state) {
  const std::vector<Sphere> spheres = random_spheres(20, 1);
  Image image(dim, dim);
  trace(image, spheres);
  stop_unless(image.rgba == reference_ray(dim, spheres).rgba, "ray");
  for (auto _ : state) {
    trace(image, spheres);
    benchmark::DoNotOptimize(image.rgba.data());
  }
}

void heat_frame(Grid& in, Grid& out, const Grid& constants) {
  for (int step = 0; step < steps_per_frame; ++step) {
#pragma omp parallel for
    for (int i = 0; i < dim * dim; ++i)
      if (constants[i] != 0) in[i] = constants[i];
#pragma omp parallel for
    for (int y = 0; y < dim; ++y)
      for (int x = 0; x < dim; ++x) {
        const int i = x + y * dim;
        const float cell = in[i];
        const float left = x == 0 ? cell : in[i - 1], right = x == dim - 1 ? cell : in[i + 1];
        const float top = y == 0 ? cell : in[i - dim], bottom = y == dim - 1 ? cell : in[i + dim];
        out[i] = cell + speed * (top + bottom + left + right - cell * 4);
      }
    std::swap(in, out);
  }
}

void heat(benchmark::State& state) {
  const Grid constants = constant_sources(dim);
  Grid in = starting_grid(dim), out(in.size());
  heat_frame(in, out, constants);
  stop_unless(in == reference_heat(dim, 1), "heat");
  for (auto _ : state) heat_frame(in, out, constants);
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

void histogram(benchmark::State& state) {
  std::vector<unsigned char> bytes(100 * 1024 * 1024);
  fill_random_bytes(bytes, 1);
  stop_unless(count(bytes) == reference_histogram(bytes), "histogram");
  for (auto _ : state) benchmark::DoNotOptimize(count(bytes));
}

}  // namespace

BENCHMARK(ray)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(heat)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(histogram)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_MAIN();
