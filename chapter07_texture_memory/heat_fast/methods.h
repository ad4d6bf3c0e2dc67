// All rungs, as the program, the tests and the sweep see them. methods.cu fills the table.
#pragma once

#include "../../common/method_table.h"
#include "plate.cuh"

/// From plain to fast; the last, "best", chooses by size.
const MethodTable<HeatMethod>& heat_methods();
