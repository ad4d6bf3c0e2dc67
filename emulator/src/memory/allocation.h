// A piece of memory that was allocated, or registered with the device.
#pragma once

#include <cstddef>

#include "cuda_runtime_api.h"

namespace emulated {

struct Allocation {
  std::size_t bytes = 0;
  std::size_t capacity = 0;  // with what lies behind its end
  cudaMemoryType type = cudaMemoryTypeUnregistered;
  const char* what = "";
  bool owned = false;  // ours to free; else a symbol or registered host memory
  int device = 0;
};

}  // namespace emulated
