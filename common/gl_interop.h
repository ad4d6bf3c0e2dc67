#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <string>

/// Why kernels of the current device cannot write into the buffers of the OpenGL context that is
/// current, as a sentence with the way out; empty where they can. CUDA C++ Programming Guide,
/// "OpenGL Interoperability".
std::string interop_problem();

/// A buffer of OpenGL's that kernels write. Its functions need the context
/// that was current when it was made.
class InteropBuffer {
 public:
  explicit InteropBuffer(size_t bytes);
  ~InteropBuffer();
  InteropBuffer(const InteropBuffer&) = delete;
  InteropBuffer& operator=(const InteropBuffer&) = delete;

  unsigned name() const { return name_; }  ///< OpenGL's
  uchar4* map();                           ///< from now on it is CUDA's,
  void unmap();                            ///< and now OpenGL's again
  void read(void* to);                     ///< copies all of it to host memory

 private:
  size_t bytes_;
  unsigned name_ = 0;
  cudaGraphicsResource_t resource_ = nullptr;
};
