// The table of all rungs, from plain to fast. A new rung is one file and one line here.
#pragma once

#include <stdexcept>
#include <string_view>
#include <vector>

#include "1_book.cuh"
#include "2_fused.cuh"
#include "3_graph.cuh"
#include "4_tiled.cuh"
#include "5_registers.cuh"
#include "6_persistent.cuh"

/// The fastest rung for a size: persistent where the plate fits the device, else registers. The emulated device
/// takes longer for a shuffle or a barrier than for a trip through memory: there it is fused.
inline std::unique_ptr<Rung> make_best(const Plate& plate) {
#ifdef EMULATED_DEVICE
  return fused_method.make(plate);
#else
  const Method& method = persistent_refuses(plate.slab.width) ? registers_method : persistent_method;
  return method.make(plate);
#endif
}
inline const Method best_method = {"best", "persistent where the plate fits the device, else registers",
                                   any_size, make_best};

inline const std::vector<Method>& methods() {
  static const std::vector<Method> table = {book_method,      fused_method,      graph_method, tiled_method,
                                            registers_method, persistent_method, best_method};
  return table;
}

/// The method of that name; throws std::invalid_argument when there is none, so none but those of the table
/// can be made.
inline const Method& find_method(std::string_view name) {
  for (const Method& method : methods())
    if (method.name == name) return method;
  throw std::invalid_argument("no method is called " + std::string(name));
}
