// heat_fast - heat spreads over a plate: from two kernels per step to one launch per frame.
//
// CUDA by Example, chapter 7, "Simulating Heat Transfer", brought to the limit of a current GPU.
// One file per rung, numbered in reading order; README.md lists the gain of each. All compute the
// same bits as heat_notexture.
// Terms (docs/glossary.md): stencil, halo, tile, shared memory, registers,
// cooperative launch, graph.
//
//   ./run heat_fast                                       a window if there is a display
//   ./run heat_fast --method tiled --headless --frames 60 --output heat.gif
//   ./run heat_fast --benchmark --size 128 --frames 1     every rung, after its check
//   ./run heat_fast --compare book,fused --size 128       two rungs side by side, with their times
//
// Keys: Esc or q quits, space pauses, s saves a picture, r restarts, + and - change the steps per
// frame, h shows all keys; a click or drag adds heat.
// What to see: the plate of heat_notexture; the title shows the frames per second.
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../../common/heat_program.h"
#include "../../common/side_by_side.h"
#include "methods.h"

using namespace heat_fast;

static_assert(speed == 0.25f, "the rungs rely on it: step.cuh");

// A plate and the method that steps it. --compare has two of them.
struct SteppedPlate {
  PlateMemory memory;
  Plate plate;
  std::function<HeatSteps> run;
  ShownPlate shown;
  int passes = 0;  // of the last frame

  SteppedPlate(const HeatMethod& method, int dim, const int& steps)
      : memory(dim, constant_sources(dim)),
        plate(memory.plate()),
        run(method.make(plate)),
        shown{dim, plate.pitch, [this] { return plate.in; },
              [this, &steps] { passes = run(plate, steps, nullptr); }} {
    shown.restart();
  }
};

// Checks, then times every method that can do this plate. Returns the exit code.
int benchmark(const Options& options, int steps) {
  const int frames = frames_to_check(options);
  announce_check(frames * steps);
  const std::vector<float> expected = reference_heat(options.size, frames, steps);
  BenchmarkTable table("heat, " + std::to_string(steps) + " steps per frame");
  Plate size_only{};
  size_only.dim = options.size;
  for (const HeatMethod& method : methods()) {
    if (const Refusal refusal = method.refusal(size_only)) {
      std::printf("%s is left out: it %s.\n", method.name.c_str(), refusal.why.c_str());
      continue;
    }
    SteppedPlate plate(method, options.size, steps);
    if (!agrees(plate.shown, frames, expected)) {
      std::fprintf(stderr, "%s is wrong.\n", method.name.c_str());
      return verdict(options.name(), false);
    }
    const std::string passes =
        std::to_string(plate.passes) + (plate.passes == 1 ? " pass" : " passes");
    // A pass reads a cell and its source and writes a cell.
    const double bytes = 3.0 * sizeof(float) * options.size * options.size * plate.passes;
    table.add(method.name + ", " + passes, measure_back_to_back(plate.shown.advance), bytes);
  }
  table.print();
  std::printf(
      "The limit of a rung is its passes over memory, 12 bytes per cell each, at the copy's "
      "rate.\n");
  return verdict(options.name(), true);
}

// Shows two methods side by side; the mouse heats both. Returns the exit code.
int compare(const Options& options, int& steps) {
  SteppedPlate first(methods()[options.compare[0]], options.size, steps);
  SteppedPlate second(methods()[options.compare[1]], options.size, steps);
  StepsPerFrame steps_per_frame(options, steps);
  Interaction mouse_and_keys = heat_interaction(steps_per_frame);
  mouse_and_keys.drag = [&](int x0, int y0, int x1, int y1) {
    for (const auto* plate : {&first, &second}) plate->shown.add_heat(x0, y0, x1, y1);
  };
  mouse_and_keys.restart = [&] {
    for (const auto* plate : {&first, &second}) plate->shown.restart();
  };
  float frame_ms = 0;  // of both halves
  const auto side = [&](const std::string& name, const ShownPlate& plate) {
    return Side{[&] { return name; },
                [&](uchar4* pixels, int) {
                  const float ms = plate.timed_advance();
                  plate.color(pixels);
                  frame_ms += ms;
                  if (&plate == &second.shown) steps_per_frame.drawn(std::exchange(frame_ms, 0));
                  return ms;
                }};
  };
  return show_side_by_side(
      options, {side(options.compare[0], first.shown), side(options.compare[1], second.shown)},
      true, mouse_and_keys);
}

int main(int argc, char** argv) {
  int steps = book_steps;
  Options options = heat_options("heat_fast", steps, {.gpu = 1024, .emulated = 256});
  options.add_methods(methods().for_options(), "best");
  options.add_compare();
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  if (!options.compare.empty()) return compare(options, steps);
  if (options.benchmark) return benchmark(options, steps);
  SteppedPlate plate(methods()[options.method], options.size, steps);
  return run_heat(options, steps, options.method, plate.shown);
}
