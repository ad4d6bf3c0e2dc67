// heat_fast_sweep [SIZE STEPS]...: times for the tunables of heat_fast, to be written into 5_registers.cuh
// and 6_persistent.cuh. Every variant is first compared, bit for bit, with the rung `book` after 1 step and
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
#include "../common/check.h"
#include "../common/fail.h"
#include "../common/timing.h"

namespace {

// The number of cells of two grids that differ in a bit. One thread per cell.
__global__ void differences_kernel(unsigned long long* count, const unsigned* a, const unsigned* b,
                                   Slab slab) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x, y = blockIdx.y;
  if (x < slab.width && a[x + y * slab.pitch] != b[x + y * slab.pitch]) atomicAdd(count, 1ull);
}

class Sweep {
 public:
  Sweep(int dim, int steps) : steps_(steps), plate_(dim, 0.25f), start_(copy_of(plate_.in)), count_(1) {
    const std::unique_ptr<Rung> book = heat_methods()["book"].make(plate_);
    book->advance(plate_, 1);
    one_step_ = copy_of(plate_.in);
    restart();
    book->advance(plate_, steps_);
    book->advance(plate_, steps_);
    two_frames_ = copy_of(plate_.in);
    std::printf("%d x %d cells, %d steps per frame\n", dim, dim, steps);
    time("book", *book);
  }

  template <int levels>
  void registers(std::initializer_list<double> rounds) {
    for (const double r : rounds) {
      RegistersRung<levels> rung(plate_, r);
      char name[64];
      std::snprintf(name, sizeof name, "registers, %d levels, %g rounds", levels, r);
      time(name, rung);
    }
  }

  template <int most_steps>
  void tiled() {
    TiledRung<most_steps> rung(plate_);
    time("tiled, " + std::to_string(most_steps) + " steps", rung);
  }

  template <int warps, int rows, int steps>
  void persistent() {
    using Kind = TileKind<warps, rows, steps>;
    if (!PersistentRung<Kind>::fits(plate_.slab.width)) return;
    const Tiles tiles = Kind::tiles(plate_.slab.width);
    char name[128];
    std::snprintf(name, sizeof name, "persistent, %d warps x %d rows, %d steps, %d x %d tiles", warps, rows,
                  steps, tiles.across, tiles.down);
    PersistentRung<Kind> rung(plate_);
    time(name, rung);
  }

  void method(const HeatMethod& method) {
    if (method.refuses(plate_.slab.width)) return;
    const std::unique_ptr<Rung> rung = method.make(plate_);
    time(method.name, *rung);
  }

  bool passed() const { return passed_; }

 private:
  DeviceMemory<float> copy_of(const DeviceMemory<float>& grid) {
    DeviceMemory<float> copy(grid.size());
    HANDLE_ERROR(cudaMemcpy(copy.get(), grid.get(), grid.bytes(), cudaMemcpyDeviceToDevice));
    return copy;
  }

  void restart() {
    HANDLE_ERROR(cudaMemcpy(plate_.in.get(), start_.get(), start_.bytes(), cudaMemcpyDeviceToDevice));
  }

  unsigned long long differences(const DeviceMemory<float>& expected) {
    HANDLE_ERROR(cudaMemset(count_.get(), 0, count_.bytes()));
    const Slab& slab = plate_.slab;
    differences_kernel<<<dim3(div_up(slab.width, 256), slab.rows), 256>>>(
        count_.get(), reinterpret_cast<const unsigned*>(plate_.in.get()),
        reinterpret_cast<const unsigned*>(expected.get()), slab);
    HANDLE_ERROR(cudaGetLastError());
    unsigned long long count = 0;
    HANDLE_ERROR(cudaMemcpy(&count, count_.get(), sizeof count, cudaMemcpyDeviceToHost));
    return count;
  }

  void time(const std::string& name, Rung& rung) {
    restart();
    rung.advance(plate_, 1);
    unsigned long long wrong = differences(one_step_);
    restart();
    rung.advance(plate_, steps_);
    rung.advance(plate_, steps_);
    wrong += differences(two_frames_);
    if (wrong != 0) {
      passed_ = false;
      std::printf("%12s %12s  %s: %llu cells\n", "WRONG", "", name.c_str(), wrong);
      return;
    }
    const Timing timing = measure_back_to_back([&] { rung.advance(plate_, steps_); });
    std::printf("%12.4f %12.4f  %s\n", timing.median_ms, timing.best_ms, name.c_str());
    std::fflush(stdout);
  }

  int steps_;
  Plate plate_;
  DeviceMemory<float> start_, one_step_, two_frames_;
  DeviceMemory<unsigned long long> count_;
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
