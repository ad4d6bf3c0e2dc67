// interop - a kernel writes the pixels of a buffer that OpenGL draws: they never leave the GPU.
//
// CUDA by Example, chapter 8 (graphics interoperability), section 8.2. The book's order of calls no
// longer works: today the window comes first, and then CUDA reports the device that draws it.
// Terms (docs/glossary.md): graphics interoperability, kernel, device.
//
//   ./run interop                       a window, or a picture file if there is no display
//   ./run interop --headless --output interop.png
//   ./run interop --check --size 256    with a display, compares the pixels of the window
//   ./run interop --benchmark           a frame by interop, through the host, and by zero-copy
//
// Keys: Esc or q quits. What to see: green diagonal stripes, mirrored in both axes.
#define GL_GLEXT_PROTOTYPES  // glGenBuffers() and the like, which came after OpenGL 1.1
#include <GL/freeglut.h>
#include <GL/glext.h>
// After OpenGL's headers.
#include <cuda_gl_interop.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/gl_interop.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/picture/window.h"
#include "interop_benchmark.h"

// The seven steps are functions in the order of this program, which has one frame:
//   (1) open a window, and with it an OpenGL context
//   (2) compute on the device that draws the window
//   (3) make an OpenGL buffer
//   (4) register it with CUDA, once
//   (5) map it, let a kernel fill it, unmap it
//   (6) unregister it, before the window closes
//   (7) draw it
// An animation repeats (5) and (7) for each frame, and does (6) at the end.

// The green of pixel (x, y) of dim x dim: a wave of |x| - |y|, measured from the middle.
__host__ __device__ inline unsigned char green_at(int x, int y, int dim) {
  const float fx = static_cast<float>(x) / dim - 0.5f;
  const float fy = static_cast<float>(y) / dim - 0.5f;
  return static_cast<unsigned char>(128 + 127 * sinf(fabsf(fx * 100) - fabsf(fy * 100)));
}

// One thread per pixel; pixels[x + y * dim]. The kernel does not know whose memory it writes.
__global__ void stripes_kernel(uchar4* pixels, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  pixels[x + static_cast<size_t>(y) * dim] = make_uchar4(0, green_at(x, y, dim), 0, 255);
}

void launch_stripes(uchar4* pixels, int dim) {
  const dim3 threads(16, 16);
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  stripes_kernel<<<blocks, threads>>>(pixels, dim);
  HANDLE_ERROR(cudaGetLastError());
}

// CPU reference.
Image reference_stripes(int dim) {
  Image image(dim, dim);
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) image.pixel(x, y)[1] = green_at(x, y, dim);
  return image;
}

// (1) The context is current in this thread from now on.
void open_window(int dim) {
  int argc = 1;
  char name[] = "interop";
  char* argv[] = {name, nullptr};
  glutInit(&argc, argv);
  glutInitDisplayMode(GLUT_DOUBLE | GLUT_RGBA);
  glutSetOption(GLUT_ACTION_ON_WINDOW_CLOSE, GLUT_ACTION_GLUTMAINLOOP_RETURNS);
  glutInitWindowSize(dim, dim);
  glutCreateWindow(name);
  end_when_window_is_gone();  // if another program destroys it
  glutDisplayFunc([] {});     // nothing to draw yet
}

// (2) Returns false if no CUDA device draws the window.
bool choose_device_of_window() {
  unsigned int count = 0;
  int device = 0;
  const cudaError_t error = cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll);
  if (error == cudaSuccess && count > 0) HANDLE_ERROR(cudaSetDevice(device));
  cudaGetLastError();  // clears the error; interop_problem() explains it

  const std::string problem = interop_problem();
  if (!problem.empty()) std::fprintf(stderr, "interop: %s\n", problem.c_str());
  return problem.empty();
}

// (3) OpenGL draws pixels from it; it has no content yet.
GLuint make_buffer(int dim) {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glBufferData(GL_PIXEL_UNPACK_BUFFER, GLsizeiptr{4} * dim * dim, nullptr, GL_DYNAMIC_DRAW);
  return buffer;
}

// (4) CUDA will write all of it and read nothing.
cudaGraphicsResource* register_buffer(GLuint buffer) {
  cudaGraphicsResource* resource = nullptr;
  HANDLE_ERROR(
      cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard));
  return resource;
}

// (5) Lends the buffer to CUDA. Unmapping makes OpenGL wait for the kernel.
void fill_by_kernel(cudaGraphicsResource* resource, int dim) {
  uchar4* pixels = nullptr;
  size_t bytes = 0;
  HANDLE_ERROR(cudaGraphicsMapResources(1, &resource));
  HANDLE_ERROR(
      cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void**>(&pixels), &bytes, resource));
  launch_stripes(pixels, dim);
  HANDLE_ERROR(cudaGraphicsUnmapResources(1, &resource));
}

// (6) After the last frame that CUDA writes. This picture has only one.
void unregister_buffer(cudaGraphicsResource* resource) {
  HANDLE_ERROR(cudaGraphicsUnregisterResource(resource));
}

// (7) With a buffer bound, the last argument is an offset into it.
void draw_buffer(GLuint buffer, int dim) {
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glDrawPixels(dim, dim, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
}

// Instead of (4), (5) and (6), if CUDA cannot share the buffer: device memory, a copy to the
// host, and a copy to OpenGL.
void fill_through_host(GLuint buffer, uchar4* pixels, std::vector<unsigned char>& host, int dim) {
  launch_stripes(pixels, dim);
  HANDLE_ERROR(cudaMemcpy(host.data(), pixels, host.size(), cudaMemcpyDeviceToHost));
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, static_cast<GLsizeiptr>(host.size()), host.data());
}

bool drawn_pixels_agree(GLuint buffer, int dim) {
  Image drawn(dim, dim);
  draw_buffer(buffer, dim);
  glReadPixels(0, 0, dim, dim, GL_RGBA, GL_UNSIGNED_BYTE, drawn.rgba.data());
  return check_images("window", drawn, reference_stripes(dim), 1);  // sinf of CPU and GPU
}

// The data of GLUT's callbacks. They have no argument for it, so it is attached to the window.
struct Shown {
  GLuint buffer;
  int dim;
};

void show_until_closed(Shown shown) {
  std::puts("interop: in the window: Esc or q (quit)");
  glutSetWindowData(&shown);
  glutDisplayFunc([] {
    const auto* const what = static_cast<Shown*>(glutGetWindowData());
    glClear(GL_COLOR_BUFFER_BIT);
    draw_buffer(what->buffer, what->dim);
    glutSwapBuffers();
  });
  glutKeyboardFunc([](unsigned char key, int, int) {
    constexpr unsigned char escape = 27;
    if (key == escape || key == 'q') glutLeaveMainLoop();
  });
  glutMainLoop();
}

int run_in_window(const Options& options) {
  const int dim = options.size;
  open_window(dim);
  const bool shares = choose_device_of_window();
  const GLuint buffer = make_buffer(dim);
  if (shares) {
    cudaGraphicsResource* const resource = register_buffer(buffer);
    fill_by_kernel(resource, dim);
    unregister_buffer(resource);
  } else {
    std::vector<unsigned char> host(size_t{4} * dim * dim);
    uchar4* pixels = nullptr;
    HANDLE_ERROR(cudaMalloc(&pixels, host.size()));
    fill_through_host(buffer, pixels, host, dim);
    HANDLE_ERROR(cudaFree(pixels));
  }

  if (options.check) return verdict(options.name(), drawn_pixels_agree(buffer, dim));
  show_until_closed({buffer, dim});
  return 0;
}

// For a file, or without a display.
int run_without_interop(const Options& options) {
  const int dim = options.size;
  CPUBitmap bitmap(dim, dim);
  uchar4* pixels = nullptr;
  HANDLE_ERROR(cudaMalloc(&pixels, bitmap.image_size()));
  launch_stripes(pixels, dim);
  HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), pixels, bitmap.image_size(), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(pixels));
  if (options.check)
    return verdict(options.name(),
                   check_images("picture", bitmap.view(), reference_stripes(dim), 1));
  return bitmap.show(options);
}

int main(int argc, char** argv) {
  Options options("interop", Common::glut | Common::check | Common::benchmark | Common::device);
  options.size = 512;
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));  // there is no window to choose it

  const bool in_window = wants_window(options);
  if (options.benchmark) return in_window ? benchmark(options) : benchmark_without_window(options);
  if (in_window && options.output.empty()) return run_in_window(options);
  return run_without_interop(options);
}
