// The table of all rungs, from plain to fast. A new rung is one file, included and named here.
#pragma once

#include "../../common/method_table.h"
#include "1_exchange.cuh"
#include "2_overlap.cuh"
#include "3_graph.cuh"
#include "4_wide_halos.cuh"
#include "5_one_kernel.cuh"

inline const MethodTable<SplitMethod>& split_methods() {
  static const MethodTable<SplitMethod> table = {exchange_method, overlap_method, graph_of_steps_method,
                                                 wide_halos_method, one_kernel_method};
  return table;
}
