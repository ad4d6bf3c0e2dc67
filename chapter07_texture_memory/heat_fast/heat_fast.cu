// heat_fast - heat spreads over a plate: from the book's two kernels per step to one launch per frame.
//
// CUDA by Example, chapter 7, "Simulating Heat Transfer", brought to the limit of a present GPU. Each rung
// of the ladder is a file (1_book.cuh, 2_fused.cuh, ... 6_persistent.cuh; README.md says what each gains);
// all compute the same bits as heat_notexture.
// Terms (docs/glossary.md): stencil, halo, tile, shared memory, registers, cooperative launch, graph.
//
//   ./run heat_fast                                       a window where there is a display
//   ./run heat_fast --method tiled --headless --frames 60 --output heat.gif
//   ./run heat_fast --benchmark --size 128 --frames 1     every rung, after its check
//   ./run heat_fast --compare book,fused --size 128       two rungs side by side, with their times
//
// Keys: Esc or q ends, space pauses, s saves a picture, r restarts, + and - change the steps per frame, h shows
// all keys; a click or drag adds heat.
// What to see: the plate of heat_notexture; the title tells the frames per second.
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "../../common/side_by_side.h"
#include "../heat_program.h"
#include "methods.h"

// A plate and the method that steps it. --compare has two of them.
struct SteppedPlate {
  PlateMemory memory;
  Plate plate;
  std::function<HeatSteps> run;

  SteppedPlate(const std::string& method, int dim)
      : memory(dim, starting_plate(dim), constant_sources(dim)),
        plate(memory.plate()),
        run(heat_methods()[method].make(plate)) {}
  ShownPlate shown(const int& steps) {
    return {plate.dim, plate.pitch, [this] { return plate.in; }, [this, &steps] { run(plate, steps); }};
  }
};

// Every method that can do this plate: checked, then timed. Returns the exit code.
int benchmark(const Options& options, int steps) {
  const PlateMemory memory(options.size, starting_plate(options.size), constant_sources(options.size));
  const ExpectedPlate expected(options, steps);
  BenchmarkTable table("heat, " + std::to_string(steps) + " steps per frame");
  bool passed = true;
  for (const HeatMethod& method : heat_methods()) {
    Plate plate = memory.plate();
    if (const Refusal no = method.refusal(plate)) {
      std::printf("%s is left out: it %s.\n", method.name.c_str(), no.why.c_str());
      continue;
    }
    const auto run = method.make(plate);
    int passes = 0;
    const auto advance = [&] { passes = run(plate, steps); };
    if (!expected.agrees({plate.dim, plate.pitch, [&] { return plate.in; }, advance})) {
      std::fprintf(stderr, "%s is wrong, so it is not timed.\n", method.name.c_str());
      passed = false;
      continue;
    }
    // A pass reads a cell and its source and writes a cell.
    const double bytes = 3.0 * sizeof(float) * plate.dim * plate.dim * passes;
    table.add(method.name + ", " + std::to_string(passes) + (passes == 1 ? " pass" : " passes"),
              measure_back_to_back(advance), bytes);
  }
  table.print();
  std::printf("The limit of a rung is its passes over memory, 12 bytes per cell each, at the copy's rate.\n");
  return verdict(options.name(), passed);
}

// Two methods side by side, which the mouse heats alike. Returns the exit code.
int compare(const Options& options, int& steps) {
  SteppedPlate first(options.compare[0], options.size), second(options.compare[1], options.size);
  const ShownPlate left = first.shown(steps), right = second.shown(steps);
  Interaction mouse_and_keys = heat_interaction(steps);
  mouse_and_keys.drag = [&](int x0, int y0, int x1, int y1) {
    left.add_heat(x0, y0, x1, y1);
    right.add_heat(x0, y0, x1, y1);
  };
  mouse_and_keys.restart = [&] {
    left.restart();
    right.restart();
  };
  const auto side = [](const ShownPlate& plate, const std::string& name) {
    return Side{[name] { return name; }, [&](uchar4* pixels, int) { return plate.draw(pixels); }};
  };
  return show_side_by_side(options, {side(left, options.compare[0]), side(right, options.compare[1])}, true,
                           mouse_and_keys);
}

int main(int argc, char** argv) {
  int steps = book_steps;
  Options options = heat_options(
      "heat_fast", "Heat spreads over a plate: a ladder from two kernels per step to one launch per frame.",
      steps, {.gpu = 1024, .emulated = 256});
  options.add_methods(heat_methods().for_options(), "best");
  options.add_compare();
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  if (!options.compare.empty()) return compare(options, steps);
  if (options.benchmark) return benchmark(options, steps);
  SteppedPlate plate(options.method, options.size);
  return run_heat(options, steps, options.method, plate.shown(steps));
}
