#pragma once
// The measurement of interop --benchmark: the time until a frame is drawn, by interop, through the
// host, and by zero-copy. Nothing here is needed to understand interop.

#include <GL/freeglut.h>
#include <GL/glext.h>

#include <cstdio>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/options.h"
#include "../common/timing.h"

// The measured steps: interop.cu.
void launch_stripes(uchar4* pixels, int dim);
Image reference_stripes(int dim);
void open_window(int dim);
bool choose_device_of_window();
GLuint make_buffer(int dim);
cudaGraphicsResource* register_buffer(GLuint buffer);
void fill_by_kernel(cudaGraphicsResource* resource, int dim);
void unregister_buffer(cudaGraphicsResource* resource);
void draw_buffer(GLuint buffer, int dim);
void fill_through_host(GLuint buffer, uchar4* pixels, std::vector<unsigned char>& host, int dim);

// The third way: the kernel itself writes page-locked host memory; `pixels` is the device's address
// of `host`. There is one copy less, but every pixel crosses the bus while the kernel runs.
inline void fill_by_zero_copy(GLuint buffer, uchar4* pixels, const unsigned char* host, int dim) {
  launch_stripes(pixels, dim);
  HANDLE_ERROR(cudaDeviceSynchronize());  // before the host reads it
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, GLsizeiptr{4} * dim * dim, host);
}

inline void draw_and_wait(GLuint buffer, int dim) {
  draw_buffer(buffer, dim);
  glFinish();
}

inline std::string with_size(const std::string& name, int dim) {
  return name + ", " + std::to_string(dim) + " x " + std::to_string(dim);
}

// The three ways to a frame in the window. Each is checked, and measured from the launch to the
// drawn pixel.
inline bool benchmark_copies(BenchmarkTable& table, GLuint buffer, int dim) {
  std::vector<unsigned char> host(size_t{4} * dim * dim);
  uchar4* pixels = nullptr;
  HANDLE_ERROR(cudaMalloc(&pixels, host.size()));
  const auto frame = [&] {
    fill_through_host(buffer, pixels, host, dim);
    draw_and_wait(buffer, dim);
  };
  frame();
  const ImageView image(dim, dim, host.data());
  const bool passed = check_images("copied", image, reference_stripes(dim), 1);
  table.add(with_size("copied through the host", dim), measure_host(frame), 0);
  HANDLE_ERROR(cudaFree(pixels));
  return passed;
}

inline bool benchmark_zero_copy(BenchmarkTable& table, GLuint buffer, int dim) {
  unsigned char* host = nullptr;
  uchar4* pixels = nullptr;
  HANDLE_ERROR(cudaHostAlloc(&host, size_t{4} * dim * dim, cudaHostAllocMapped));
  HANDLE_ERROR(cudaHostGetDevicePointer(&pixels, host, 0));
  const auto frame = [&] {
    fill_by_zero_copy(buffer, pixels, host, dim);
    draw_and_wait(buffer, dim);
  };
  frame();
  const ImageView image(dim, dim, host);
  const bool passed = check_images("zero-copy", image, reference_stripes(dim), 1);
  table.add(with_size("zero-copy", dim), measure_host(frame), 0);
  HANDLE_ERROR(cudaFreeHost(host));
  return passed;
}

inline bool benchmark_interop(BenchmarkTable& table, GLuint buffer, int dim) {
  cudaGraphicsResource* const resource = register_buffer(buffer);
  const auto frame = [&] {
    fill_by_kernel(resource, dim);
    draw_and_wait(buffer, dim);
  };
  frame();
  std::vector<unsigned char> host(size_t{4} * dim * dim);
  const auto bytes = static_cast<GLsizeiptr>(host.size());
  glGetBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, bytes, host.data());
  const ImageView image(dim, dim, host.data());
  const bool passed = check_images("interop", image, reference_stripes(dim), 1);
  table.add(with_size("interop", dim), measure_host(frame), 0);
  unregister_buffer(resource);
  return passed;
}

// At sizes from 512 to 4096, as far as the screen reaches.
inline int benchmark(const Options& options) {
  open_window(options.size);
  const bool shares = choose_device_of_window();
  BenchmarkTable table("a frame in a window");
  bool passed = true;
  for (const int dim : {512, 1024, 2048, 4096}) {
    glutReshapeWindow(dim, dim);
    glutMainLoopEvent();
    const GLuint buffer = make_buffer(dim);
    passed = benchmark_copies(table, buffer, dim) && passed;
    passed = benchmark_zero_copy(table, buffer, dim) && passed;
    if (shares) passed = benchmark_interop(table, buffer, dim) && passed;
    glDeleteBuffers(1, &buffer);
  }
  if (passed) table.print();
  return verdict(options.name(), passed);
}

// The part that needs no OpenGL: the kernel, and its copy to the host.
inline int benchmark_without_window(const Options& options) {
  std::fprintf(stderr,
               "interop: there is no display, so only the parts without OpenGL are measured.\n");
  const int dim = options.size;
  CPUBitmap bitmap(dim, dim);
  uchar4* pixels = nullptr;
  HANDLE_ERROR(cudaMalloc(&pixels, bitmap.image_size()));
  const auto copied_frame = [&] {
    launch_stripes(pixels, dim);
    HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), pixels, bitmap.image_size(), cudaMemcpyDeviceToHost));
  };
  copied_frame();
  const bool passed = check_images("picture", bitmap.view(), reference_stripes(dim), 1);
  if (passed) {
    BenchmarkTable table("a frame without a window");
    table.add("kernel", measure([&] { launch_stripes(pixels, dim); }),
              static_cast<double>(bitmap.image_size()));
    table.add("kernel, and the copy to the host", measure_host(copied_frame), 0);

    unsigned char* mapped = nullptr;
    uchar4* written = nullptr;
    HANDLE_ERROR(cudaHostAlloc(&mapped, bitmap.image_size(), cudaHostAllocMapped));
    HANDLE_ERROR(cudaHostGetDevicePointer(&written, mapped, 0));
    table.add("kernel that writes to the host", measure_host([&] { launch_stripes(written, dim); }),
              0);
    HANDLE_ERROR(cudaFreeHost(mapped));
    table.print();
  }
  HANDLE_ERROR(cudaFree(pixels));
  return verdict(options.name(), passed);
}
