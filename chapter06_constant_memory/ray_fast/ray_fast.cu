// ray_fast - thousands of spheres with tiled culling and early termination; the pixels of `ray`.
//
// CUDA by Example, chapter 6 (constant memory and events), and later techniques. One file per rung,
// numbered in reading order; README.md lists the gain of each.
// Terms (docs/glossary.md): tile, warp, shared memory, barrier, atomics, divergence.
//
//   ./run ray_fast                                         2000 spheres, the fastest rung
//   ./run ray_fast --size 128 --spheres 200 --benchmark    every rung, checked, then timed
//   ./run ray_fast --method cull --headless --output ray.png
//   ./run ray_fast --compare book,depth --size 256         two rungs side by side, with their times
//
// Keys: Esc or q quits, s saves a picture, h shows all keys. What to see: every rung draws the same
// picture; the printed time is the device's.
#include <cstdio>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/cpu_bitmap.h"
#include "../../common/device_memory.h"
#include "../../common/options.h"
#include "../../common/side_by_side.h"
#include "../../common/timing.h"
#include "../ray_common.h"
#include "methods.h"

using namespace ray_fast;

// ---- kernels and their launches: a file per rung, listed in methods.cu
// ---- CPU reference: reference_ray() in ../ray_common.h

// Draws and checks with every method, then times it.
bool benchmark(const DeviceMemory<Sphere>& spheres, const DeviceMemory<uchar4>& pixels,
               CPUBitmap& bitmap, int dim, const Image& expected) {
  const int count = static_cast<int>(spheres.size());
  BenchmarkTable table(std::to_string(count) + " spheres, " + std::to_string(dim) + " x " +
                       std::to_string(dim));
  bool passed = true;
  for (const RayMethod& method : methods()) {
    const auto trace = method.make();
    const auto work = [&] { trace(spheres.get(), count, pixels.get(), dim); };
    HANDLE_ERROR(cudaMemset(pixels.get(), 0, pixels.bytes()));
    work();
    HANDLE_ERROR(
        cudaMemcpy(bitmap.get_ptr(), pixels.get(), pixels.bytes(), cudaMemcpyDeviceToHost));
    if (!check_images(method.name, bitmap.view(), expected, 0)) {
      passed = false;
      continue;
    }
    table.add(method.name, measure_back_to_back(work), static_cast<double>(pixels.bytes()));
  }
  table.print();
  return passed;
}

// Shows the pictures of two methods side by side. Returns the exit code.
int compare(const Options& options, const DeviceMemory<Sphere>& spheres) {
  const auto side = [&](const std::string& name) {
    return Side{[=] { return name; },
                [&options, &spheres, trace = methods()[name].make()](uchar4* pixels, int) {
                  const auto work = [&] {
                    trace(spheres.get(), static_cast<int>(spheres.size()), pixels, options.size);
                  };
                  return measure(work, 3, 1).median_ms;
                }};
  };
  return show_side_by_side(options, {side(options.compare[0]), side(options.compare[1])}, false);
}

int main(int argc, char** argv) {
  Options options("ray_fast", Common::picture | Common::seed | Common::check | Common::benchmark |
                                  Common::device);
  int count = 2000;
  options.add("--spheres", count, "number of spheres", 0, 10'000'000);
  options.add_methods(methods().for_options(), "depth");
  options.add_compare();
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  const std::vector<Sphere> host_spheres = random_spheres(count, options.seed);
  const DeviceMemory<Sphere> spheres(count);
  HANDLE_ERROR(
      cudaMemcpy(spheres.get(), host_spheres.data(), spheres.bytes(), cudaMemcpyHostToDevice));
  const DeviceMemory<uchar4> pixels(static_cast<size_t>(dim) * dim);
  CPUBitmap bitmap(dim, dim);
  if (options.benchmark) {
    const Image expected = reference_ray(dim, host_spheres);
    return verdict(options.name(), benchmark(spheres, pixels, bitmap, dim, expected));
  }

  if (!options.compare.empty()) return compare(options, spheres);
  const auto trace = methods()[options.method].make();
  EventTimer timer;
  timer.start();
  trace(spheres.get(), count, pixels.get(), dim);
  const float ms = timer.stop();
  std::printf("Time to generate: %s\n", time_text(ms).c_str());
  HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), pixels.get(), pixels.bytes(), cudaMemcpyDeviceToHost));
  // No tolerance: neither the GPU nor the CPU fuses a multiplication with an
  // addition (EXACT in CMakeLists.txt).
  if (options.check)
    return verdict(options.name(),
                   check_images("picture", bitmap.view(), reference_ray(dim, host_spheres), 0));
  return bitmap.show(options);
}
