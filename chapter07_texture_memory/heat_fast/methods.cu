// The ladder: one entry per rung, from naive to fast. --help, --benchmark and the tests use this table.

#include "methods.h"

#include "../heat_common.h"
#include "1_book.cuh"
#include "2_fused.cuh"
#include "3_graph.cuh"
#include "4_tiled.cuh"
#include "6_persistent.cuh"

static_assert(speed == 0.25f, "the rungs rely on it: step.cuh");

namespace {

// A rung that is but a function.
template <int run(Plate&, int, cudaStream_t)>
std::function<HeatSteps> function(const Plate&) {
  return [](Plate& plate, int steps) { return run(plate, steps, nullptr); };
}

/// The fastest rung for a size. The emulated device takes longer for a shuffle or a barrier than for a trip through
/// memory: there it is fused.
std::function<HeatSteps> make_best(const Plate& plate) {
#ifdef EMULATED_DEVICE
  return heat_methods()["fused"].make(plate);
#else
  const HeatMethod& persistent = heat_methods()["persistent"];
  return persistent.refusal(plate) ? heat_methods()["registers"].make(plate) : persistent.make(plate);
#endif
}

}  // namespace

const MethodTable<HeatMethod>& heat_methods() {
  static const MethodTable<HeatMethod> table{
      {"book", "two kernels per time step, as in heat_notexture", function<book_heat>},
      {"fused", "source copy and blend in one kernel", function<fused_heat>},
      {"graph", "the same, with a frame recorded as a CUDA graph", rung<GraphHeat>},
      {"tiled", "several steps per launch, on a tile in shared memory", function<tiled_heat>},
      registers_method(),
      {"persistent", "one launch per frame, with the plate in registers", rung<PersistentHeat>,
       PersistentHeat::refusal},
      {"best", "persistent if the plate fits the device, else registers", make_best}};
  return table;
}
