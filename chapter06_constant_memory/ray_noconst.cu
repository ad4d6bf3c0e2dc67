// ray_noconst - 20 random spheres in global memory, ray-traced.
//
// CUDA by Example, chapter 6 (constant memory and events), section 6.2.2, "Ray Tracing on the GPU".
// `diff ray_noconst.cu ray.cu` is the lesson: what constant memory changes.
// Terms (docs/glossary.md): kernel, thread, block, grid, global memory, event.
//
//   ./run ray_noconst                                 a window if there is a display
//   ./run ray_noconst --spheres 200 --size 256 --benchmark
//   ./run ray_noconst --headless --output ray.png
//
// Keys: Esc or q quits, s saves a picture. What to see: shaded balls, the nearer ones in front. The
// printed time is the kernel's, measured with events.
#include <cstdio>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "ray_common.h"

constexpr int max_spheres = 1'000'000;

// One thread per pixel; pixels[x + y * dim]. Every thread looks at every sphere.
__global__ void ray_kernel(uchar4* pixels, int dim, const Sphere* spheres, int count) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const float ox = scene_coordinate(x, dim);
  const float oy = scene_coordinate(y, dim);
  float r = 0;
  float g = 0;
  float b = 0;
  float nearest = -infinitely_far;
  for (int i = 0; i < count; ++i) {
    float shade = 0;
    const float depth = spheres[i].hit(ox, oy, &shade);
    if (depth > nearest) {
      r = spheres[i].r * shade;
      g = spheres[i].g * shade;
      b = spheres[i].b * shade;
      nearest = depth;
    }
  }
  pixels[x + static_cast<size_t>(y) * dim] = make_uchar4(r * 255, g * 255, b * 255, 255);
}

// The CPU reference, reference_ray(), is in ray_common.h.

int main(int argc, char** argv) {
  Options options("ray_noconst", Common::picture | Common::seed | Common::check |
                                     Common::benchmark | Common::device);
  int count = 20;
  options.add("--spheres", count, "number of spheres", 0, max_spheres);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  const std::vector<Sphere> host_spheres = random_spheres(count, options.seed);
  CPUBitmap bitmap(dim, dim);

  // An event is a time stamp that the device writes when it gets there. The difference of two
  // events is device time, without the round trip to the host.
  cudaEvent_t start;
  cudaEvent_t stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));

  uchar4* pixels;
  HANDLE_ERROR(cudaMalloc(&pixels, bitmap.image_size()));
  Sphere* spheres;
  HANDLE_ERROR(cudaMalloc(&spheres, count * sizeof(Sphere)));
  HANDLE_ERROR(
      cudaMemcpy(spheres, host_spheres.data(), count * sizeof(Sphere), cudaMemcpyHostToDevice));

  const dim3 threads(16, 16);
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  auto trace = [&] {
    ray_kernel<<<blocks, threads>>>(pixels, dim, spheres, count);
    HANDLE_ERROR(cudaGetLastError());
  };
  HANDLE_ERROR(cudaEventRecord(start));
  trace();
  // Before the copy, so that only the kernel is timed.
  HANDLE_ERROR(cudaEventRecord(stop));

  HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), pixels, bitmap.image_size(), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaEventSynchronize(stop));
  float ms;
  HANDLE_ERROR(cudaEventElapsedTime(&ms, start, stop));
  std::printf("Time to generate: %s\n", time_text(ms).c_str());

  // No tolerance: neither the GPU nor the CPU fuses a multiplication with an addition (EXACT in
  // CMakeLists.txt).
  bool passed = true;
  if (options.check || options.benchmark)
    passed = check_images("picture", bitmap.view(), reference_ray(dim, host_spheres), 0);
  if (options.benchmark && passed)
    print_benchmark("ray tracing, spheres in global memory", "ray_kernel", trace,
                    static_cast<double>(bitmap.image_size()));

  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(stop));
  HANDLE_ERROR(cudaFree(pixels));
  HANDLE_ERROR(cudaFree(spheres));

  if (options.check || options.benchmark) return verdict(options.name(), passed);
  return bitmap.show(options);
}
