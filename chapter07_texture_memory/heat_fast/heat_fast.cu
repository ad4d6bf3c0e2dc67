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
#include <memory>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/fail.h"
#include "../../common/gpu_anim.h"
#include "../../common/options.h"
#include "../../common/side_by_side.h"
#include "../../common/timing.h"
#include "../heat_window.h"
#include "methods.h"

// Makes the rung, or ends the program with the sentence that says why it cannot do this plate.
std::unique_ptr<Rung> make(const HeatMethod& method, const Plate& plate, const Options& options) {
  if (const auto refusal = method.refuses(plate.slab.width)) {
    const std::string sentence = "--method " + method.name + ": " + refusal->why;
    if (refusal->code == exit_code::wrong_use) options.fail(sentence);
    fail(refusal->code, sentence);
  }
  return method.make(plate);
}

// The plate after options.frames frames from the start, against the CPU reference.
bool check(Rung& rung, Plate& plate, const Options& options, const HeatParameters& heat,
           const Grid& expected) {
  plate.restart();
  for (int frame = 0; frame < options.frames; ++frame) rung.advance(plate, heat.steps);
  return check_equal("temperature", plate.download(), expected);
}

// Every method that can do this plate: checked, then timed. Returns the exit code.
int benchmark(Plate& plate, const Options& options, const HeatParameters& heat) {
  const Grid expected = reference_heat(options.size, options.frames, heat);
  BenchmarkTable table("heat, " + std::to_string(heat.steps) + " steps per frame");
  bool passed = true;
  for (const HeatMethod& method : heat_methods()) {
    if (const auto refusal = method.refuses(options.size)) {
      std::printf("%s: left out, %s.\n", method.name.c_str(), refusal->why.c_str());
      continue;
    }
    const std::unique_ptr<Rung> rung = method.make(plate);
    const bool right = check(*rung, plate, options, heat, expected);
    passed = passed && right;
    if (!right) {
      std::fprintf(stderr, "%s is wrong, so it is not timed.\n", method.name.c_str());
      continue;
    }
    const int passes = rung->passes(heat.steps);
    // A pass reads a cell and its source and writes a cell.
    const double bytes = 3.0 * sizeof(float) * options.size * options.size * passes;
    table.add(method.name + ", " + std::to_string(passes) + (passes == 1 ? " pass" : " passes"),
              measure_back_to_back([&] { rung->advance(plate, heat.steps); }), bytes);
  }
  table.print();
  std::printf("The limit of a rung is its passes over memory, 12 bytes per cell each, at the copy's rate.\n");
  return verdict(options.name(), passed);
}

// A plate, the rung that steps it, and how long that takes. --compare has two of them.
struct TimedPlate {
  Plate plate;
  std::unique_ptr<Rung> rung;
  EventTimer timer{};

  TimedPlate(const HeatMethod& method, const Options& options, const HeatParameters& heat)
      : plate(options.size, heat.speed), rung(make(method, plate, options)) {}

  // One frame into `pixels`. Returns the milliseconds of its steps.
  float draw(uchar4* pixels, int steps) {
    timer.start();
    rung->advance(plate, steps);
    const float ms = timer.stop();
    color_kernel<<<blocks(), threads>>>(pixels, plate.in.get(), plate.slab.pitch, plate.slab.width);
    HANDLE_ERROR(cudaGetLastError());
    return ms;
  }

  void add_heat(int x0, int y0, int x1, int y1) {
    add_heat_kernel<<<blocks(), threads>>>(plate.in.get(), plate.slab.pitch, plate.slab.width, x0, y0, x1,
                                           y1);
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  static constexpr dim3 threads{32, 8};
  dim3 blocks() const { return dim3(div_up(plate.slab.width, 32), div_up(plate.slab.rows, 8)); }
};

// Frame after frame to the window or the file. Returns the exit code.
int animate(TimedPlate& timed, const Options& options, HeatParameters& heat) {
  GPUAnimBitmap bitmap(options.size, options.size);
  float total_ms = 0;
  int frames = 0, steps = 0;
  const auto draw = [&](uchar4* pixels, int) {
    total_ms += timed.draw(pixels, heat.steps);
    ++frames;
    steps += heat.steps;
  };
  Interaction mouse_and_keys = heat_interaction(heat.steps);
  mouse_and_keys.title = [&, more = mouse_and_keys.title] { return options.method + ", " + more(); };
  mouse_and_keys.drag = [&](int x0, int y0, int x1, int y1) { timed.add_heat(x0, y0, x1, y1); };
  mouse_and_keys.restart = [&] { timed.plate.restart(); };
  const int code = bitmap.animate(options, draw, mouse_and_keys);
  if (frames > 0)
    std::printf("Average time per frame: %.3f ms (%d steps)\n", total_ms / frames, steps / frames);
  return code;
}

// The same for two methods side by side, which the mouse heats alike.
int compare(const Options& options, HeatParameters& heat) {
  TimedPlate left(heat_methods()[options.compare[0]], options, heat),
      right(heat_methods()[options.compare[1]], options, heat);
  Interaction mouse_and_keys = heat_interaction(heat.steps);
  mouse_and_keys.drag = [&](int x0, int y0, int x1, int y1) {
    left.add_heat(x0, y0, x1, y1);
    right.add_heat(x0, y0, x1, y1);
  };
  mouse_and_keys.restart = [&] {
    left.plate.restart();
    right.plate.restart();
  };
  const auto side = [&](TimedPlate& timed, const std::string& name) {
    return Side{[=] { return name; }, [&](uchar4* pixels, int) { return timed.draw(pixels, heat.steps); }};
  };
  return show_side_by_side(options, {side(left, options.compare[0]), side(right, options.compare[1])}, true,
                           mouse_and_keys);
}

int main(int argc, char** argv) {
  Options options("heat_fast",
                  "Heat spreads over a plate: a ladder from two kernels per step to one launch per frame.",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  HeatParameters heat;
  heat.add_to(options);
  add_heat_keys(options);
  options.add_methods(heat_methods().for_options(), "best");
  options.add_compare();
  options.default_size({.gpu = 1024, .emulated = 256});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  if (!options.compare.empty()) return compare(options, heat);
  if (options.benchmark) {
    Plate plate(options.size, heat.speed);
    return benchmark(plate, options, heat);
  }
  TimedPlate timed(heat_methods()[options.method], options, heat);
  if (options.check) {
    const Grid expected = reference_heat(options.size, options.frames, heat);
    return verdict(options.name(), check(*timed.rung, timed.plate, options, heat, expected));
  }
  return animate(timed, options, heat);
}
