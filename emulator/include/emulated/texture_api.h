// Textures, surfaces and CUDA arrays of the emulated device. cuda_runtime.h includes this header after it has
// defined cudaError_t, cudaMemcpyKind, cudaStream_t and the vector types.
#pragma once

#include "../texture_types.h"
#include "texture_array.h"
#include "texture_fetch.h"
#include "texture_mipmap.h"
