// What the three heat programs do with their plates: check, benchmark, window and mouse.
//
// A Plate has advance() (one frame; returns its milliseconds on the device), draw(pixels), temperatures(),
// add_heat(x, y) and restart(). It is a template parameter so that each program keeps its own, with the CUDA
// calls in it, and no class hierarchy stands between.
#pragma once

#include <cstdio>
#include <string>

#include "../common/check.h"
#include "../common/cpu_anim.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "heat_common.h"

// The device must agree with the CPU bit for bit: both add in the same order, and neither fuses a
// multiplication with an addition (CMakeLists.txt says EXACT for these samples).
template <class Plate>
int check_heat(Plate& plate, const Options& options, const std::string& memory) {
  for (int frame = 0; frame < options.frames; ++frame) plate.advance();
  const Grid got = plate.temperatures();
  const Grid expected = reference_heat(options.size, options.frames);
  const bool passed = check_equal("temperature", got, expected);
  if (options.benchmark && passed) {
    BenchmarkTable table("heat, 90 steps a frame");
    // A step moves at least: source and cell read, cell written by (1); cell read, cell written by (2).
    table.add(memory, measure([&] { plate.advance(); }), 5.0 * got.size() * sizeof(float) * steps_per_frame);
    table.print();
  }
  return verdict(options.name(), passed);
}

template <class Plate>
int animate_heat(Plate& plate, const Options& options) {
  CPUAnimBitmap bitmap(options.size, options.size);
  float total_ms = 0;
  int frames = 0;
  Interaction mouse_and_keys;
  mouse_and_keys.drag = [&](int, int, int x, int y) { plate.add_heat(x, y); };
  mouse_and_keys.restart = [&] { plate.restart(); };
  const int code = bitmap.animate(
      options,
      [&](int) {
        total_ms += plate.advance();
        ++frames;
        plate.draw(bitmap.get_ptr());
      },
      mouse_and_keys);
  if (frames > 0)
    std::printf("Average time per frame: %.3f ms (%d steps)\n", total_ms / frames, steps_per_frame);
  return code;
}

// Returns the program's exit code. `memory` names what a step reads through, for the table.
template <class Plate>
int run_heat(const Options& options, const std::string& memory) {
  Plate plate(options.size);
  if (options.check || options.benchmark) return check_heat(plate, options, memory);
  return animate_heat(plate, options);
}
