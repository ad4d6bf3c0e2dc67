// All rungs of the ladder. 1_exchange.cuh to 3_wide_halos.cuh are named in heat_multi_gpu.cu; the last one, whose kernel
// takes long to compile, is a file of its own.
#pragma once

#include "../../common/method_table.h"
#include "rung.h"

using MultiMethod = Method<void(int steps), const Job&>;

MultiMethod one_kernel_method();  ///< 4_one_kernel.cu
