// The rung that takes longest to compile, apart from the others.

#include "5_registers.cuh"
#include "methods.h"

const HeatMethod& registers_method() {
  static const HeatMethod method{"registers", "a warp marches down with several time levels in registers",
                                 rung<RegistersHeat>};
  return method;
}
