// render - the course's program for the circle renderer, with its command line and output.
//
// Stanford CS149 assignment 3, part 3 = CMU 15-418 assignment 2. The course's own scripts can drive
// it. The work is done by the ladder in ../circle_renderer.
//
//   ./run render -c rgb -s 256
//   ./run render rand10k -s 256 -b 0:4 -f frame
//
// What to see: the milliseconds of a frame: clearing, advancing the scene, drawing the circles.
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/fail.h"
#include "../../common/options.h"
#include "../../common/timing.h"
#include "../circle_renderer/methods.h"
#include "../circle_renderer/renderer.cuh"
#include "../circle_renderer/show.cuh"

using namespace circle_renderer;

struct FrameRange {
  int start = 0;
  int end = 1;  // the last frame is end - 1
};

/// Reads START:END; other texts are wrong use.
FrameRange parse_range(const Options& options, const std::string& text) {
  FrameRange range;
  std::istringstream in(text);
  char colon = 0;
  in >> range.start >> colon >> range.end;
  const bool has_form = !in.fail() && in.eof() && colon == ':';
  if (!has_form || range.start < 0 || range.start >= range.end)
    options.fail("--bench must be START:END with 0 <= START < END, not " + text);
  return range;
}

template <class Step>
double milliseconds(Step step) {
  const HostTimer timer;
  step();
  HANDLE_ERROR(cudaDeviceSynchronize());
  return timer.ms();
}

void write_frame(const Renderer& renderer, const std::string& prefix, int frame) {
  char number[32];
  std::snprintf(number, sizeof number, "_%04d.ppm", frame);
  write_image(prefix + number, renderer.bytes());
  std::printf("Wrote %s\n", absolute_path(prefix + number).c_str());
}

/// Draws the frames up to range.end, and prints the median time of those from range.start on (one
/// hiccup would spoil a mean). Writes them to PREFIX_0000.ppm, ... with a prefix.
void run_frames(Renderer& renderer, FrameRange range, const std::string& prefix) {
  const bool on_device = &renderer.method() != &cpu_reference();
  if (on_device) {
    // The first launch also loads the kernels: not timed.
    for (int i = 0; i < 3; ++i) renderer.draw();
    HANDLE_ERROR(cudaDeviceSynchronize());
  }
  say_whose_times();

  std::vector<double> clear;
  std::vector<double> advance;
  std::vector<double> render;
  std::vector<double> total;
  for (int frame = 0; frame < range.end; ++frame) {
    const double cleared = milliseconds([&] { renderer.clear(); });
    const double advanced = milliseconds([&] { renderer.advance(); });
    const double rendered = milliseconds([&] { renderer.render(); });
    if (frame < range.start) continue;

    clear.push_back(cleared);
    advance.push_back(advanced);
    render.push_back(rendered);
    total.push_back(cleared + advanced + rendered);
    if (!prefix.empty()) write_frame(renderer, prefix, frame);
  }
  std::printf("Clear:    %.4f ms\n", summary(clear).median_ms);
  std::printf("Advance:  %.4f ms\n", summary(advance).median_ms);
  std::printf("Render:   %.4f ms\n", summary(render).median_ms);
  std::printf("Total:    %.4f ms\n", summary(total).median_ms);
}

int main(int argc, char** argv) {
  Options options("render", Common::animation);
  std::string scene_name;
  std::string renderer_name = "cuda";
  std::string bench;
  std::string prefix;
  options.add_choice("SCENE", scene_name, "scene to draw", scene_names());
  options.add_choice("-r,--renderer", renderer_name,
                     "the CPU reference, or the --method on the device", {"cpuref", "cuda"});
  options.add_methods(methods().for_options(), "fast");
  options.add("-s,--size", options.size, "pixels per side", 1, 65535);
  options.add("-S,--Seed,--seed", options.seed,
              "seed of C's rand(), from which the scenes are made", 0, 4294967295);
  options.add("-b,--bench", bench,
              "START:END: draw frames 0 to END - 1, print the ms per frame from START on");
  options.add("-f,--file", prefix,
              "PREFIX: write the frames of --bench (or one) to PREFIX_0000.ppm ...");
  options.add_flag("-c,--check", options.check, "compare with the CPU reference: PASS or FAIL");
  options.add_flag("-i,--interactive,--window", options.window,
                   "open a window or fail, never write a file instead");
  options.parse(argc, argv);
  if (scene_name.empty()) options.fail("which scene? render --help lists them");
  const bool on_cpu = renderer_name == "cpuref";
  if (on_cpu && options.check)
    options.fail("-c compares with the CPU reference, so it needs -r cuda");

  FrameRange range;
  if (!bench.empty()) range = parse_range(options, bench);
  const CircleMethod& method = on_cpu ? cpu_reference() : methods()[options.method];
  Renderer renderer(make_scene(scene_name, options.seed), method, options.size);
  if (options.window) return show(options, renderer);
  if (!options.output.empty()) {
    options.headless = true;
    return show(options, renderer);
  }

  if (options.check) {
    const int code = verdict("circle_renderer", agrees_with_reference(renderer));
    if (code != 0 || (bench.empty() && prefix.empty())) return code;
    renderer.restart();
  } else if (prefix.empty()) {
    prefix = "output";
  }
  run_frames(renderer, range, prefix);
  return 0;
}
