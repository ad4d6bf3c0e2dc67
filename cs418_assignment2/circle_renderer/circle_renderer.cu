// circle_renderer - semi-transparent circles, blended in input order: exact, and fast.
//
// Stanford CS149 assignment 3 = CMU 15-418 assignment 2. The ladder has one file per rung, from 0_broken.cuh
// to 8_fast.cuh; README.md lists the reading order.
// Terms (docs/glossary.md): race, atomics, shared memory, barrier, compaction, warp, divergence, graph.
//
//   ./run circle_renderer                                        our own scene, in a window or as a film
//   ./run circle_renderer rand10k --size 256 --method tiles --check
//   ./run circle_renderer snow --size 192 --frames 24 --output snow.gif
//   ./run circle_renderer rand10k --compare broken,fast --size 128    two methods side by side
//
// Keys: Esc or q quits, space pauses, s saves a picture, r restarts; 1 to 9 and 0 change the scene, n takes
// the next one, m the next method, h shows all keys.
// What to see: later circles cover earlier ones. With --method broken the picture has streaks, as the order
// is lost.

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/fail.h"
#include "../../common/options.h"
#include "../../common/timing.h"
#include "methods.h"
#include "renderer.cuh"
#include "show.cuh"

using namespace circle_renderer;

/// What this sample's command line adds to the common options.
struct CircleOptions {
  std::string scene_name = is_course_program() ? "" : "sunflower", renderer = "cuda", bench, prefix;

  explicit CircleOptions(Options& options) {
    if (!is_course_program()) options.default_size({.gpu = 1024, .emulated = 512});
    options.add_choice("SCENE", scene_name, "scene to draw", scene_names());
    options.add_choice("-r,--renderer", renderer, "the CPU reference, or the --method on the device",
                       {"cpuref", "cuda"});
    options.add_methods(methods().for_options(), "fast");
    options.add_compare();
    options.add_keys({{"1 to 9 and 0", "change the scene"}, {"n", "next scene"}, {"m", "next method"}});
    options.add("-s,--size", options.size, "pixels per side", 1, 65535);
    options.add("-S,--Seed,--seed", options.seed, "seed of C's rand(), from which the scenes are made", 0,
                4294967295);
    options.add("-b,--bench", bench,
                "START:END: draw frames 0 to END - 1, print the ms per frame from START on");
    options.add("-f,--file", prefix, "PREFIX: write the frames of --bench (or one) to PREFIX_0000.ppm ...");
    options.add_flag("-c,--check", options.check, "compare with the CPU reference: PASS or FAIL");
    options.add_flag("-i,--interactive,--window", options.window,
                     "open a window or fail, never write a file instead");
  }

  /// Whether this was called `render`, the name of the course's program.
  static bool is_course_program() { return program_name() == "render"; }

  /// The course's program needs a scene, and its frames go to output_0000.ppm, ... unless something else is
  /// asked for.
  void follow_the_course(const Options& options) {
    if (scene_name.empty()) options.fail("which scene? render --help lists them");
    if (prefix.empty() && options.output.empty() && !options.window && !options.check && !options.benchmark)
      prefix = "output";
  }
};

struct FrameRange {
  int start = 0, end = 1;  // the last frame is end - 1
};

/// Reads START:END; other texts are wrong use.
FrameRange parse_range(const Options& options, const std::string& text) {
  FrameRange range;
  std::istringstream in(text);
  char colon = 0;
  if (in >> range.start >> colon >> range.end && in.eof() && colon == ':' && range.start >= 0 &&
      range.start < range.end)
    return range;
  options.fail("--bench must be START:END with 0 <= START < END, not " + text);
}

/// The course's benchmark: draws the frames up to range.end, and prints the median time of those from
/// range.start on (one hiccup would spoil a mean). Writes them to PREFIX_0000.ppm, ... with a prefix.
void run_frames(Renderer& renderer, FrameRange range, const std::string& prefix) {
  // The first launch also loads the kernels.
  for (int i = 0; i < 3 && &renderer.method() != &cpu_reference(); ++i) renderer.draw();
  HANDLE_ERROR(cudaDeviceSynchronize());
  say_whose_times();
  const auto milliseconds = [&](auto step) {
    const HostTimer timer;
    step();
    HANDLE_ERROR(cudaDeviceSynchronize());
    return timer.ms();
  };
  std::vector<double> clear, advance, render, total;
  for (int frame = 0; frame < range.end; ++frame) {
    const double cleared = milliseconds([&] { renderer.clear(); });
    const double advanced = milliseconds([&] { renderer.advance(); });
    const double rendered = milliseconds([&] { renderer.render(); });
    if (frame < range.start) continue;
    clear.push_back(cleared);
    advance.push_back(advanced);
    render.push_back(rendered);
    total.push_back(cleared + advanced + rendered);
    if (prefix.empty()) continue;
    char number[32];
    std::snprintf(number, sizeof number, "_%04d.ppm", frame);
    write_image(prefix + number, renderer.bytes());
    std::printf("Wrote %s\n", absolute_path(prefix + number).c_str());
  }
  std::printf("Clear:    %.4f ms\nAdvance:  %.4f ms\nRender:   %.4f ms\nTotal:    %.4f ms\n",
              summary(clear).median_ms, summary(advance).median_ms, summary(render).median_ms,
              summary(total).median_ms);
}

/// All right methods, each after its check. A large scene costs the emulated device seconds or minutes per
/// frame: there `fast` alone, and one frame.
int benchmark(const Scene& scene, int size) {
  bool passed = true;
#ifdef EMULATED_DEVICE
  const bool large = 1.0 * scene.count() * size * size > 1e8;
#else
  constexpr bool large = false;
#endif
  if (large)
    std::fprintf(stderr,
                 "circle_renderer: a large scene for the emulated device: --benchmark times one frame of "
                 "fast alone\n");
  BenchmarkTable table(scene.name + ", " + std::to_string(scene.count()) + " circles, " +
                       std::to_string(size) + " x " + std::to_string(size) + " pixels, clear and render");
  const double bytes = 28.0 * scene.count() + 16.0 * size * size;  // circles read once, picture written once
  for (const CircleMethod& method : methods()) {
    if (!method.right || (large && method.name != "fast") || method.refusal(scene, size)) continue;
    Renderer renderer(scene, method, size);
    const bool agrees = agrees_with_reference(renderer);
    if (!agrees) std::fprintf(stderr, "%s is wrong, so it is not timed\n", method.name.c_str());
    passed = passed && agrees;
    if (agrees)
      table.add(method.name, measure_host([&] { renderer.draw(); }, large ? 1 : 9, large ? 0 : 2), bytes);
  }
  table.print();
  return verdict("circle_renderer", passed);
}

int main(int argc, char** argv) {
  Options options("circle_renderer",
                  Common::animation | Common::seed | Common::check | Common::benchmark | Common::device);
  CircleOptions circles(options);
  options.parse(argc, argv);
  if (CircleOptions::is_course_program()) circles.follow_the_course(options);
  const FrameRange range = circles.bench.empty() ? FrameRange{} : parse_range(options, circles.bench);
  const Scene scene = make_scene(circles.scene_name, options.seed);

  HANDLE_ERROR(cudaSetDevice(options.device));
  const bool by_reference = circles.renderer == "cpuref";
  if (by_reference && (options.check || options.benchmark))
    options.fail("--check and --benchmark compare with the CPU reference, so they need --renderer cuda");
  if (options.benchmark) return benchmark(scene, options.size);
  const bool frames_wanted = !circles.bench.empty() || !circles.prefix.empty();
  if (!options.output.empty() && !options.window) options.headless = true;
  if (!options.compare.empty()) {
    if (frames_wanted || by_reference)
      options.fail("--compare excludes --bench, --file and --renderer cpuref");
    Renderer left(scene, methods()[options.compare[0]], options.size);
    Renderer right(scene, methods()[options.compare[1]], options.size);
    return show_two(options, left, right);
  }
  Renderer renderer(scene, by_reference ? cpu_reference() : methods()[options.method], options.size);
  if (options.check) {
    const int code = verdict("circle_renderer", agrees_with_reference(renderer));
    if (code != 0 || !frames_wanted) return code;
    renderer.restart();
  }
#ifdef EMULATED_DEVICE
  if (!frames_wanted && !options.headless && scene.animation == Animation::snow) {
    std::fprintf(
        stderr,
        "circle_renderer: a frame of snow's %d circles takes the emulated device 0.1 s or more, even at "
        "--size 256\n",
        scene.count());
  }
#endif
  if (!frames_wanted) return show(options, renderer);
  run_frames(renderer, range, circles.prefix);
  return 0;
}
