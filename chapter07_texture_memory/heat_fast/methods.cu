// The ladder: one entry per rung, from plain to fast. --help, --benchmark and the tests go through this table.

#include "methods.h"

#include "1_book.cuh"
#include "2_fused.cuh"
#include "3_graph.cuh"
#include "4_tiled.cuh"
#include "5_registers.cuh"
#include "6_persistent.cuh"

namespace {

/// The fastest rung for a size: persistent where the plate fits the device, else registers. The emulated device
/// takes longer for a shuffle or a barrier than for a trip through memory: there it is fused.
std::unique_ptr<Rung> make_best(const Plate& plate) {
#ifdef EMULATED_DEVICE
  return fused_method.make(plate);
#else
  const HeatMethod& method = persistent_refuses(plate.slab.width) ? registers_method : persistent_method;
  return method.make(plate);
#endif
}

}  // namespace

const MethodTable<HeatMethod>& heat_methods() {
  static const MethodTable<HeatMethod> table = {
      book_method,
      fused_method,
      graph_method,
      tiled_method,
      registers_method,
      persistent_method,
      {"best", "persistent where the plate fits the device, else registers", any_size, make_best}};
  return table;
}
