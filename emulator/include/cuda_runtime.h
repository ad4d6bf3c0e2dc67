// The emulated device's stand-in for CUDA's header of the same name. ../README.md says how it
// works; every part below holds one idea.
#pragma once

#define __CUDA_RUNTIME_H__

// The .h names bring abs, sin and so on for float and long to the global namespace, as nvcc does.
#include <math.h>
#include <stdlib.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda_runtime_api.h"        // cudaMemcpy, streams, events, graphs, device properties
#include "emulated/atomics.h"        // atomicAdd, ...
#include "emulated/barriers.h"       // __syncthreads, fences, __nanosleep
#include "emulated/convert.h"        // what (int)x becomes
#include "emulated/declarations.h"   // what the translator notes of kernels and variables
#include "emulated/dropped.h"        // what cudaFree(p); becomes
#include "emulated/indices.h"        // threadIdx, blockIdx, ...
#include "emulated/launch.h"         // what kernel<<<...>>>(...) becomes
#include "emulated/math.h"           // __fmul_rn, __popc, min, max, ...
#include "emulated/memory_access.h"  // __ldg, __stcs, ...
#include "emulated/mipmaps.h"        // arrays, textures, mipmaps
#include "emulated/qualifiers.h"     // __global__, __shared__, ...
#include "emulated/rounding.h"       // __fadd_ru, __dmul_rz, ...
#include "emulated/shift.h"          // what << and >> become
#include "emulated/templates.h"      // cudaMalloc(T**), symbols, functions of kernels
#include "emulated/warp.h"           // shuffles, votes
#include "vector_types.h"            // float4, make_float4, dim3, ...

#include "emulated/packs.h"  // what else is part of the device (../packs)
