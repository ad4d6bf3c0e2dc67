// circle_renderer - semi-transparent circles, blended in input order: exact, and fast.
//
// Stanford CS149 assignment 3 = CMU 15-418 assignment 2. The ladder has one file per rung, from
// 0_broken.cuh to 8_fast.cuh; README.md lists the reading order.
// Terms (docs/glossary.md): race, atomics, shared memory, barrier,
// compaction, warp, divergence, graph.
//
//   ./run circle_renderer                                   our own scene, in a window or as a film
//   ./run circle_renderer rand10k --size 256 --method tiles --check
//   ./run circle_renderer snow --size 192 --frames 24 --output snow.gif
//   ./run circle_renderer rand10k --compare broken,fast --size 128    two methods side by side
//
// Keys: Esc or q quits, space pauses, s saves a picture, r restarts; 1 to 9 and 0 change the scene,
// n takes the next one, m the next method, h shows all keys.
// What to see: later circles cover earlier ones. With --method broken the picture has
// streaks, as the order is lost.

#include <cstdio>
#include <string>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device.h"
#include "../../common/options.h"
#include "../../common/timing.h"
#include "methods.h"
#include "renderer.cuh"
#include "show.cuh"

using namespace circle_renderer;

/// Times all right methods, each after its check. A large scene costs the emulated device seconds
/// or minutes per frame, so there it times only `fast`, and one frame.
int benchmark(const Scene& scene, int size) {
  bool passed = true;
  const bool large = is_emulated && 1.0 * scene.count() * size * size > 1e8;
  if (large)
    std::fprintf(
        stderr,
        "circle_renderer: the scene is large for the emulated device, so --benchmark times only "
        "one frame of fast\n");
  BenchmarkTable table(scene.name + ", " + std::to_string(scene.count()) + " circles, " +
                       std::to_string(size) + " x " + std::to_string(size) +
                       " pixels, clear and render");
  // The circles are read once, and the picture is written once.
  const double bytes = 28.0 * scene.count() + 16.0 * size * size;
  for (const CircleMethod& method : methods()) {
    if (!method.right || (large && method.name != "fast") || method.refusal(scene, size)) continue;
    Renderer renderer(scene, method, size);
    if (agrees_with_reference(renderer)) {
      const auto draw = [&] { renderer.draw(); };
      table.add(method.name, large ? measure_host(draw, 1, 0) : measure_host(draw), bytes);
    } else {
      std::fprintf(stderr, "%s is wrong, so it is not timed\n", method.name.c_str());
      passed = false;
    }
  }
  table.print();
  return verdict("circle_renderer", passed);
}

int main(int argc, char** argv) {
  Options options("circle_renderer", Common::animation | Common::seed | Common::check |
                                         Common::benchmark | Common::device);
  std::string scene_name = "sunflower";
  options.default_size({.gpu = 1024, .emulated = 512});
  options.add_choice("SCENE", scene_name, "scene to draw", scene_names());
  options.add_methods(methods().for_options(), "fast");
  options.add_compare();
  options.add_keys(
      {{"1 to 9 and 0", "change the scene"}, {"n", "next scene"}, {"m", "next method"}});
  options.add("--seed", options.seed, "seed of C's rand(), from which the scenes are made", 0,
              4294967295);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const Scene scene = make_scene(scene_name, options.seed);
  if (options.benchmark) return benchmark(scene, options.size);

  if (!options.compare.empty()) {
    Renderer left(scene, methods()[options.compare[0]], options.size);
    Renderer right(scene, methods()[options.compare[1]], options.size);
    return show_two(options, left, right);
  }

  Renderer renderer(scene, methods()[options.method], options.size);
  if (options.check) return verdict("circle_renderer", agrees_with_reference(renderer));

  if (!options.output.empty() && !options.window) options.headless = true;
  if (is_emulated && !options.headless && scene.animation == Animation::snow)
    std::fprintf(
        stderr,
        "circle_renderer: a frame of snow's %d circles takes the emulated device 0.1 s or more, "
        "even at --size 256\n",
        scene.count());
  return show(options, renderer);
}
