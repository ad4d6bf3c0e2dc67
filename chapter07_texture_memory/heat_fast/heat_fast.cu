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
//
// Keys: Esc or q ends, space pauses, s saves a picture, r restarts; a click or drag adds heat.
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
#include "../../common/timing.h"
#include "methods.cuh"

// Makes the rung, or ends the program with the sentence that says why it cannot do this plate.
std::unique_ptr<Rung> make(const Method& method, const Plate& plate, const Options& options) {
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
  for (const Method& method : methods()) {
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

// Frame after frame to the window or the file. Returns the exit code.
int animate(Rung& rung, Plate& plate, const Options& options, const HeatParameters& heat) {
  GPUAnimBitmap bitmap(options.size, options.size);
  const dim3 threads(32, 8), blocks(div_up(options.size, 32), div_up(options.size, 8));
  EventTimer timer;
  float total_ms = 0;
  int frames = 0;
  const auto draw = [&](uchar4* pixels, int) {
    timer.start();
    rung.advance(plate, heat.steps);
    total_ms += timer.stop();
    ++frames;
    color_kernel<<<blocks, threads>>>(pixels, plate.in.get(), plate.slab.pitch, options.size);
    HANDLE_ERROR(cudaGetLastError());
  };
  Interaction mouse_and_keys;
  mouse_and_keys.drag = [&](int, int, int x, int y) {
    add_heat_kernel<<<blocks, threads>>>(plate.in.get(), plate.slab.pitch, options.size, x, y);
    HANDLE_ERROR(cudaGetLastError());
  };
  mouse_and_keys.restart = [&] { plate.restart(); };
  const int code = bitmap.animate(options, draw, mouse_and_keys);
  if (frames > 0) std::printf("Average time per frame: %.3f ms (%d steps)\n", total_ms / frames, heat.steps);
  return code;
}

int main(int argc, char** argv) {
  Options options("heat_fast",
                  "Heat spreads over a plate: a ladder from two kernels per step to one launch per frame.",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  HeatParameters heat;
  heat.add_to(options);
  std::vector<Options::Method> names;
  for (const Method& method : methods()) names.push_back({method.name, method.help});
  options.add_methods(names, best_method.name);
  options.default_size(1024, 256);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  Plate plate(options.size, heat.speed);
  if (options.benchmark) return benchmark(plate, options, heat);
  const std::unique_ptr<Rung> rung = make(find_method(options.method), plate, options);
  if (options.check) {
    const Grid expected = reference_heat(options.size, options.frames, heat);
    return verdict(options.name(), check(*rung, plate, options, heat, expected));
  }
  return animate(*rung, plate, options, heat);
}
