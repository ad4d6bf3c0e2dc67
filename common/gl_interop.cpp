#include "gl_interop.h"

#include <cstdio>
#include <utility>

#ifndef HAVE_WINDOW

std::string interop_problem() { return "This program was built without windows."; }
InteropBuffer::InteropBuffer(size_t bytes) : bytes_(bytes) {}
InteropBuffer::~InteropBuffer() = default;
uchar4* InteropBuffer::map() { return nullptr; }
void InteropBuffer::unmap() {}
void InteropBuffer::read(void*) {}

#else

#define GL_GLEXT_PROTOTYPES  // glGenBuffers() and the like, which came after OpenGL 1.1
#include <GL/gl.h>
#include <GL/glext.h>
#include <cuda_gl_interop.h>

#include "device.h"

namespace {

std::string gl_text(GLenum what) {
  const GLubyte* const text = glGetString(what);
  return text == nullptr ? "no driver" : reinterpret_cast<const char*>(text);
}

}  // namespace

std::string interop_problem() {
  // Known problems and their solutions: docs/troubleshooting.md.
  const std::string drawn_by = "This window is drawn by " + gl_text(GL_RENDERER);
  if (!is_emulated && gl_text(GL_VENDOR).find("NVIDIA") == std::string::npos) {
    return drawn_by +
           ", not by the CUDA device, so each frame is copied through the host. On a computer with "
           "two GPUs start it with __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia.";
  }
  unsigned count = 0;
  int drawing = 0;
  const cudaError_t error = cudaGLGetDevices(&count, &drawing, 1, cudaGLDeviceListAll);
  if (error != cudaSuccess || count == 0) {
    cudaGetLastError();  // else a later call would report it
    return drawn_by + ", whose context CUDA cannot use (" +
           (error != cudaSuccess ? cudaGetErrorString(error) : "no device belongs to it") +
           "), so each frame is copied through the host.";
  }
  int computing = 0;
  HANDLE_ERROR(cudaGetDevice(&computing));
  if (drawing != computing) {
    return drawn_by + ", device " + std::to_string(drawing) +
           ", so each frame is copied through the host. With --device " + std::to_string(drawing) +
           " the kernels run on that device, too.";
  }
  return "";
}

InteropBuffer::InteropBuffer(size_t bytes) : bytes_(bytes) {
  glGenBuffers(1, &name_);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name_);
  glBufferData(GL_PIXEL_UNPACK_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_DRAW);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  HANDLE_ERROR(
      cudaGraphicsGLRegisterBuffer(&resource_, name_, cudaGraphicsRegisterFlagsWriteDiscard));
}

InteropBuffer::~InteropBuffer() {
  cudaGraphicsUnregisterResource(resource_);
  glDeleteBuffers(1, &name_);
}

uchar4* InteropBuffer::map() {
  void* pixels = nullptr;
  size_t bytes = 0;
  HANDLE_ERROR(cudaGraphicsMapResources(1, &resource_));
  HANDLE_ERROR(cudaGraphicsResourceGetMappedPointer(&pixels, &bytes, resource_));
  return static_cast<uchar4*>(pixels);
}

void InteropBuffer::unmap() { HANDLE_ERROR(cudaGraphicsUnmapResources(1, &resource_)); }

void InteropBuffer::read(void* to) {
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name_);
  glGetBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, static_cast<GLsizeiptr>(bytes_), to);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

#endif

WindowBuffer::WindowBuffer(std::string program, void* host_pixels, size_t bytes) {
  gl_frame_.opened = [this, program = std::move(program), bytes] {
    const std::string problem = interop_problem();
    if (problem.empty()) {
      buffer_ = std::make_unique<InteropBuffer>(bytes);
    } else {
      std::fprintf(stderr, "%s: %s\n", program.c_str(), problem.c_str());
    }
  };
  gl_frame_.buffer = [this] { return buffer_ ? buffer_->name() : 0; };
  gl_frame_.fetch = [this, host_pixels] { buffer_->read(host_pixels); };
  gl_frame_.closing = [this] { buffer_.reset(); };
}
