// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_book.cuh"
#include "2_fused.cuh"
#include "3_graph.cuh"
#include "4_tiled.cuh"
#include "5_registers.cuh"
#include "6_persistent.cuh"

namespace heat_fast {

// The fastest rung for a size. On the emulated device shuffles and barriers cost more than memory.
static std::function<HeatSteps> make_best(const Plate& plate) {
#ifdef EMULATED_DEVICE
  const char* const best = "fused";
#else
  const char* const best = persistent_refusal(plate) ? "registers" : "persistent";
#endif
  return methods()[best].make(plate);
}

const MethodTable<HeatMethod>& methods() {
  static const MethodTable<HeatMethod> table{
      {"book", [](const Plate&) { return book_heat; }},
      {"fused", [](const Plate&) { return fused_heat; }},
      {"graph", HeatMethod::function_of<GraphHeat>},
      {"tiled", [](const Plate&) { return tiled_heat; }},
      {"registers", HeatMethod::function_of<RegistersHeat>},
      {"persistent", [](const Plate&) { return persistent_heat; }, persistent_refusal},
      {.name = "best",
       .maker = make_best,
       .help = "on a GPU: persistent if the plate fits, else registers"}};
  return table;
}

}  // namespace heat_fast
