// A header of CUDA that programs name besides cuda_runtime.h, which has it all here.
#pragma once
#include <cuda_runtime.h>
