// circle_renderer - half-transparent circles, blended in input order: the same picture seven ways.
//
// Stanford CS149 assignment 3 = CMU 15-418 assignment 2. The page circle_renderer.md tells the story; the
// renderers are in circle_renderer/, one header each: broken, pixels, tiles, front, bins, tiny, fast.
//
//   circle_renderer                        our own scene in a window (a picture where there is no display)
//   circle_renderer rand10k --method tiles --check
//   circle_renderer snow --frames 120 --output snow.gif
//   circle_renderer rand1M --bench 0:20    ms a frame, as the course's program prints them
//   circle_renderer --scene my_circles.txt
//
// Keys: Esc or q ends, space pauses, s saves a picture, r restarts.
// What to see: later circles shine over earlier ones. With --method broken: streaks, because nobody kept the
// order.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_anim.h"
#include "../common/cpu_bitmap.h"
#include "../common/gpu_anim.h"
#include "../common/options.h"
#include "../common/picture/file.h"
#include "../common/picture/image.h"
#include "../common/timing.h"
#include "circle_renderer/methods.cuh"
#include "circle_renderer/reference.h"
#include "circle_renderer/scene_file.h"

constexpr float channel_tolerance = 1e-5f, position_tolerance = 1e-4f;

// What a picture shows: clamped to 0..1, 255 times that, truncated. The third comparison makes NaN black.
__host__ __device__ unsigned char to_byte(float channel) {
  return static_cast<unsigned char>(255 * (channel >= 1 ? 1.0f : channel > 0 ? channel : 0.0f));
}

// One thread a pixel.
__global__ void to_bytes_kernel(const float4* pixels, uchar4* bytes, size_t count) {
  const size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  if (i >= count) return;
  bytes[i] = make_uchar4(to_byte(pixels[i].x), to_byte(pixels[i].y), to_byte(pixels[i].z), 255);
}

void to_bytes(std::span<const FloatPixel> pixels, unsigned char* bytes) {
  for (const FloatPixel& pixel : pixels) {
    for (const float channel : {pixel.red, pixel.green, pixel.blue}) *bytes++ = to_byte(channel);
    *bytes++ = 255;
  }
}

struct FrameRange {
  int start = 0, end = 1;  // the last frame is end - 1
};

FrameRange parse_range(const Options& options, const std::string& text) {
  FrameRange range;
  const char *at = text.data(), *end = at + text.size();
  const auto first = std::from_chars(at, end, range.start);
  if (first.ec == std::errc{} && first.ptr != end && *first.ptr == ':') {
    const auto last = std::from_chars(first.ptr + 1, end, range.end);
    if (last.ec == std::errc{} && last.ptr == end && range.start >= 0 && range.start < range.end)
      return range;
  }
  options.fail("--bench must be START:END with 0 <= START < END, not " + text);
}

// The three color channels, without the fourth.
std::vector<float> channels(const std::vector<FloatPixel>& pixels) {
  std::vector<float> values;
  values.reserve(pixels.size() * 3);
  for (const FloatPixel& pixel : pixels) values.insert(values.end(), {pixel.red, pixel.green, pixel.blue});
  return values;
}

std::vector<float> positions(const std::vector<Circle>& circles) {
  std::vector<float> values;
  for (const Circle& circle : circles) values.insert(values.end(), {circle.x, circle.y, circle.radius});
  return values;
}

// Compares frames with the CPU reference: the first, and of an animated scene also a later one with its
// positions.
bool check(Renderer& renderer, const Scene& scene, int size) {
  CpuReference reference(scene, size);
  constexpr int later = 5;
  for (int frame = 0; frame <= (scene.animation == Animation::none ? 0 : later); ++frame) {
    if (frame > 0) reference.advance();
    if (frame > 0) renderer.advance();
    if (frame != 0 && frame != later) continue;
    draw_frame(reference);
    draw_frame(renderer);
    if (!check_near("picture", channels(renderer.image()), channels(reference.image()), channel_tolerance))
      return false;
    if (frame > 0 && !check_near("position", positions(renderer.circles()), positions(reference.circles()),
                                 position_tolerance))
      return false;
  }
  return true;
}

// Milliseconds of a call and of what it set going on the device.
template <class Work>
double milliseconds(bool on_device, Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  if (on_device) HANDLE_ERROR(cudaDeviceSynchronize());
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// The course's benchmark: draws the frames up to range.end, and prints the times of those from range.start
// on, as the median (a single hiccup of the machine would spoil a mean). Writes them to PREFIX_0000.ppm, ...
// if wanted.
void run_frames(Renderer& renderer, bool on_device, FrameRange range, int size, const std::string& prefix) {
  for (int warm_up = 0; on_device && warm_up < 3; ++warm_up) {  // the first launch also loads the kernels
    draw_frame(renderer);
    HANDLE_ERROR(cudaDeviceSynchronize());
  }
  std::vector<double> clear, advance, render, total;
  for (int frame = 0; frame < range.end; ++frame) {
    const double cleared = milliseconds(on_device, [&] { renderer.clear(); });
    const double advanced = milliseconds(on_device, [&] { renderer.advance(); });
    const double rendered = milliseconds(on_device, [&] { renderer.render(); });
    if (frame < range.start) continue;
    clear.push_back(cleared);
    advance.push_back(advanced);
    render.push_back(rendered);
    total.push_back(cleared + advanced + rendered);
    if (!prefix.empty()) {
      Image image(size, size);
      to_bytes(renderer.image(), image.rgba.data());
      char number[32];
      std::snprintf(number, sizeof number, "_%04d.ppm", frame);
      write_image(prefix + number, image);
      std::printf("Wrote %s\n", absolute_path(prefix + number).c_str());
    }
  }
  std::printf("Clear:    %.4f ms\nAdvance:  %.4f ms\nRender:   %.4f ms\nTotal:    %.4f ms\n", median(clear),
              median(advance), median(render), median(total));
}

// All methods, each after its check.
int benchmark(const Scene& scene, int size) {
  bool passed = true;
  BenchmarkTable table(scene.name + ", " + std::to_string(scene.count()) + " circles, " +
                       std::to_string(size) + " x " + std::to_string(size) + " pixels, clear and render");
  const double bytes = 28.0 * scene.count() + 16.0 * size * size;  // circles read once, picture written once
  for (const MethodInfo& method : method_list()) {
    if (method.name == "broken") continue;  // what is wrong has no time
    const std::unique_ptr<CudaRenderer> renderer = make_cuda_renderer(method.name, scene, size);
    if (!renderer) continue;
    const bool right = check(*renderer, scene, size);
    if (!right) std::fprintf(stderr, "%s is wrong, so it is not timed\n", method.name.c_str());
    passed = passed && right;
    if (right) table.add(method.name, measure_host([&] { draw_frame(*renderer); }), bytes);
  }
  table.print();
  return verdict("circle_renderer", passed);
}

int show(const Options& options, Renderer& renderer, CudaRenderer* cuda, const Scene& scene) {
  if (scene.animation == Animation::none) {
    draw_frame(renderer);
    CPUBitmap bitmap(options.size, options.size);
    to_bytes(renderer.image(), bitmap.get_ptr());
    return bitmap.show(options);
  }
  Interaction interaction;
  interaction.restart = [&] { renderer.restart(); };
  const auto next_frame = [&](int frame) {
    if (frame > 0) renderer.advance();
    draw_frame(renderer);
  };
  if (cuda != nullptr) {
    GPUAnimBitmap bitmap(options.size, options.size);
    return bitmap.animate(
        options,
        [&](uchar4* bytes, int frame) {
          next_frame(frame);
          constexpr int threads = 256;
          const size_t count = static_cast<size_t>(options.size) * static_cast<size_t>(options.size);
          to_bytes_kernel<<<blocks_for(count, threads), threads>>>(cuda->device_pixels(), bytes, count);
          HANDLE_ERROR(cudaGetLastError());
        },
        interaction);
  }
  CPUAnimBitmap bitmap(options.size, options.size);
  return bitmap.animate(
      options,
      [&](int frame) {
        next_frame(frame);
        to_bytes(renderer.image(), bitmap.get_ptr());
      },
      interaction);
}

int main(int argc, char** argv) {
  Options options("circle_renderer", "Half-transparent circles, blended in input order.",
                  Common::animation | Common::seed | Common::check | Common::benchmark | Common::device);
  std::string scene_name, scene_path, renderer_name = "cuda", bench, prefix;
  options.add_positional("SCENE", scene_name, "which scene; sunflower when none is given", scene_names());
  options.add("--scene", scene_path, "file to read the circles from; its format is in circle_renderer.md");
  options.add_choice("-r,--renderer", renderer_name, "the CPU reference, or the --method on the device",
                     {"cpuref", "cuda"});
  std::vector<Options::Method> methods;
  for (const MethodInfo& method : method_list()) methods.push_back({method.name, method.what});
  options.add_methods(methods, "fast");
  options.add("-s,--size", options.size, "pixels a side", 1, 65535);
  options.add("-S,--Seed,--seed", options.seed, "seed of C's rand(), from which the scenes are made", 0,
              4294967295);
  options.add("-b,--bench", bench, "START:END: draw frames 0 to END - 1, print the ms a frame from START on");
  options.add("-f,--file", prefix, "PREFIX: write the frames of --bench (else one) to PREFIX_0000.ppm ...");
  options.add_flag("-c,--check", options.check, "compare with the CPU reference: PASS or FAIL");
  options.add_flag("-i,--interactive,--window", options.window,
                   "open a window or fail, never write a file instead");
  options.parse(argc, argv);
  const FrameRange range = bench.empty() ? FrameRange{} : parse_range(options, bench);
  if (!scene_path.empty() && !scene_name.empty())
    options.fail("a scene's name and --scene exclude each other");

  Scene scene;
  try {
    scene = scene_path.empty() ? make_scene(scene_name.empty() ? "sunflower" : scene_name, options.seed)
                               : read_scene(scene_path);
  } catch (const std::exception& problem) {
    options.fail(problem.what());
  }

  const bool on_device = renderer_name == "cuda";
  std::unique_ptr<Renderer> renderer;
  CudaRenderer* cuda = nullptr;
  if (on_device) {
    HANDLE_ERROR(cudaSetDevice(options.device));
    if (options.benchmark) return benchmark(scene, options.size);
    std::unique_ptr<CudaRenderer> made = make_cuda_renderer(options.method, scene, options.size);
    if (!made)
      options.fail("--method " + options.method +
                   " is not for this scene at this size: it takes still scenes of 100,000 or more circles, "
                   "each a few pixels large");
    cuda = made.get();
    renderer = std::move(made);
  } else {
    if (options.check) options.fail("--check compares with the CPU reference, so it needs --renderer cuda");
    renderer = std::make_unique<CpuReference>(scene, options.size);
  }

  if (options.check) {
    const int code = verdict("circle_renderer", check(*renderer, scene, options.size));
    if (code != 0 || (bench.empty() && prefix.empty())) return code;
  }
  if (!bench.empty() || !prefix.empty()) {
    run_frames(*renderer, on_device, range, options.size, prefix);
    return 0;
  }
  if (!options.output.empty() && !options.window) options.headless = true;
  return show(options, *renderer, cuda, scene);
}
