// threadIdx and its companions, for programs that include this header by name.
#pragma once
#include "cuda_runtime.h"
