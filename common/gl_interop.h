#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <string>

#include "picture/gl_frame.h"

/// The reason why kernels of the current device cannot write into buffers of the current OpenGL
/// context, as a sentence with the solution; empty if they can. CUDA C++ Programming Guide,
/// "OpenGL Interoperability".
std::string interop_problem();

/// An OpenGL buffer that kernels write. Its functions need the context that
/// was current when it was made.
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
  cudaGraphicsResource_t resource() const { return resource_; }  ///< CUDA's name

 private:
  size_t bytes_;
  unsigned name_ = 0;
  cudaGraphicsResource_t resource_ = nullptr;
};

/// The buffer for a window's frames. It exists from the window's opening to its closing, if the
/// current device draws that window.
class WindowBuffer {
 public:
  /// `host_pixels`: the picture in host memory, of `bytes` bytes, for files. `program` begins the
  /// sentence on standard error with the reason why there is no buffer.
  WindowBuffer(std::string program, void* host_pixels, size_t bytes);
  WindowBuffer(const WindowBuffer&) = delete;
  WindowBuffer& operator=(const WindowBuffer&) = delete;

  /// For present(), which opens and closes the window.
  const GlFrame& gl_frame() const { return gl_frame_; }
  InteropBuffer* get() const { return buffer_.get(); }
  /// CUDA's name of the buffer; null if there is none.
  cudaGraphicsResource_t resource() const { return buffer_ ? buffer_->resource() : nullptr; }

 private:
  std::unique_ptr<InteropBuffer> buffer_;
  GlFrame gl_frame_;
};
