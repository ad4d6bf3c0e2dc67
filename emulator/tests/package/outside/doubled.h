#pragma once
__device__ inline int doubled(int x) { return 2 * x; }
