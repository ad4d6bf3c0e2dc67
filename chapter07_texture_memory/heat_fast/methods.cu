// The table of all rungs, from plain to fast. A new rung is one file, included and named here. It is compiled once for the
// program, the tests and the sweep, as a library (add_cuda_library() in cmake/CudaProgram.cmake, which also says what
// [[gnu::used]] is for).
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

[[gnu::used]] const MethodTable<HeatMethod>& heat_methods() {
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
