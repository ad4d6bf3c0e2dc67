// Memory of allocating nodes (graph.h).
#pragma once

#include <cstddef>
#include <memory>

#include "../include/cuda_runtime_api.h"

namespace emulated {

class GraphMemory {
 public:
  static cudaError_t make(std::size_t bytes, std::shared_ptr<GraphMemory>& memory);
  GraphMemory(void* pointer, std::size_t bytes, int device)
      : pointer_(pointer), bytes_(bytes), device_(device) {}
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  void* pointer() const { return pointer_; }
  std::size_t bytes() const { return bytes_; }
  int device() const { return device_; }
  bool used() const { return used_; }
  // The node allocates: the memory is in use, with fresh contents. cudaErrorInvalidValue: it is already.
  cudaError_t begin();
  void end() { used_ = false; }

 private:
  void* pointer_;
  std::size_t bytes_;
  int device_;
  bool used_ = false;
};

bool is_graph_memory(const void* pointer);

}  // namespace emulated
