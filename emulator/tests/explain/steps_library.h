// A kernel that is as one in a header of the system: its lines are no lines of the program's.
#pragma once

#line 1 "/usr/include/library.h"
__global__ void of_a_library(int* out) { out[threadIdx.x] = 1; }
