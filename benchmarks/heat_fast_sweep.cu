// heat_fast_sweep [SIZE STEPS]...: times for the tunables of heat_fast, to be written into 5_registers.cuh
// and 6_persistent.cuh. Every variant is first compared with the rung `book` after 1 step and
// after two frames; what is wrong is not timed.
//
//   heat_fast_sweep                    1024 with 90 steps per frame, 4096 with 90, 16384 with 10
//   heat_fast_sweep 2048 90
//
// A line: median ms per frame, best ms, the variant. Exit code 1 when a variant is wrong.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../chapter07_texture_memory/heat_fast/4_tiled.cuh"
#include "../chapter07_texture_memory/heat_fast/5_registers.cuh"
#include "../chapter07_texture_memory/heat_fast/6_persistent.cuh"
#include "../chapter07_texture_memory/heat_fast/methods.h"
#include "../chapter07_texture_memory/heat_program.h"
#include "../common/fail.h"
#include "../common/timing.h"

namespace {

using Run = std::function<HeatSteps>;

class Sweep {
 public:
  Sweep(int dim, int steps)
      : steps_(steps), memory_(dim, starting_plate(dim), constant_sources(dim)), plate_(memory_.plate()) {
    const Run book = heat_methods()["book"].make(plate_);
    one_step_ = after(book, 1, 1);
    two_frames_ = after(book, 2, steps);
    std::printf("%d x %d cells, %d steps per frame\n", dim, dim, steps);
  }

  void method(const HeatMethod& method) {
    if (!method.refusal(plate_)) time(method.name, method.make(plate_));
  }

  template <int levels>
  void registers(std::initializer_list<double> rounds) {
    const RegistersHeat rung(plate_);
    for (const double r : rounds) {
      char name[64];
      std::snprintf(name, sizeof name, "registers, %d levels, %g rounds", levels, r);
      time(name, [&](Plate& plate, int steps) {
        for (int left = steps; left > 0;)
          left -= left >= levels ? rung.pass<levels>(plate, left == steps, left, r, nullptr)
                                 : rung.pass<1>(plate, left == steps, left, r, nullptr);
        return 0;
      });
    }
  }

  template <int most_steps>
  void tiled() {
    time("tiled, " + std::to_string(most_steps) + " steps",
         [](Plate& plate, int steps) { return tiled_frame<most_steps>(plate, steps, nullptr); });
  }

  template <int warps, int rows, int steps>
  void persistent() {
    using Kind = TileKind<warps, rows, steps>;
    const Tiles tiles = Kind::tiles(plate_.dim);
    if (tiles.across * tiles.down > room_for_tiles<Kind>(plate_.dim)) return;
    char name[128];
    std::snprintf(name, sizeof name, "persistent, %d warps x %d rows, %d steps, %d x %d tiles", warps, rows,
                  steps, tiles.across, tiles.down);
    PersistentHeat rung(plate_);
    time(name, [&](Plate& plate, int count) { return rung.frame<Kind>(plate, count, nullptr); });
  }

  bool passed() const { return passed_; }

 private:
  std::vector<float> after(const Run& run, int frames, int steps) {
    const ShownPlate shown = {plate_.dim, plate_.pitch, [this] { return plate_.in; },
                              [&] { run(plate_, steps); }};
    shown.restart();
    for (int frame = 0; frame < frames; ++frame) shown.advance();
    return shown.download();
  }

  void time(const std::string& name, const Run& run) {
    if (after(run, 1, 1) != one_step_ || after(run, 2, steps_) != two_frames_) {
      passed_ = false;
      std::printf("%12s %12s  %s\n", "WRONG", "", name.c_str());
      return;
    }
    const Timing timing = measure_back_to_back([&] { run(plate_, steps_); });
    std::printf("%12.4f %12.4f  %s\n", timing.median_ms, timing.best_ms, name.c_str());
    std::fflush(stdout);
  }

  int steps_;
  PlateMemory memory_;
  Plate plate_;
  std::vector<float> one_step_, two_frames_;
  bool passed_ = true;
};

bool sweep(int dim, int steps) {
  Sweep sweep(dim, steps);
  for (const HeatMethod& method : heat_methods()) sweep.method(method);
  // Few instantiations, as each takes seconds to compile: what the rungs use, and one on either side. Another number
  // of levels, of steps of `tiled` or another tile of `persistent` is a line here.
  sweep.tiled<4>();
  sweep.tiled<8>();
  sweep.persistent<8, 11, 6>();  // the more steps between two exchanges, the more is computed twice
  sweep.registers<registers_levels>({0.5, 0.75, 1, 2});
  sweep.registers<registers_deep_levels>({1, 2, 3, 4, 5, 6, 7, 8, 10});
  return sweep.passed();
}

int number(const char* text) {
  int value = 0;
  const auto result = std::from_chars(text, text + std::strlen(text), value);
  if (result.ec != std::errc{} || *result.ptr != 0 || value < 1)
    fail(exit_code::wrong_use, std::string(text) + " is not a whole number from 1");
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc % 2 == 0) fail(exit_code::wrong_use, "usage: heat_fast_sweep [SIZE STEPS]...");
  say_whose_times();
  bool passed = true;
  for (int i = 1; i < argc; i += 2) passed = sweep(number(argv[i]), number(argv[i + 1])) && passed;
  if (argc == 1)
    for (const auto& [dim, steps] : {std::pair{1024, 90}, {4096, 90}, {16384, 10}})
      passed = sweep(dim, steps) && passed;
  return verdict("heat_fast_sweep", passed);
}
