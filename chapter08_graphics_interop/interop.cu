// interop - a kernel writes the pixels of a buffer that OpenGL draws: they never leave the GPU.
//
// CUDA by Example, chapter 8 (graphics interoperability), section 8.2. The book's order of calls no
// longer holds: today the window comes first, then CUDA is asked which device draws it.
// Terms (docs/glossary.md): graphics interoperability, kernel, device.
//
//   ./run interop                       a window, or a picture file if there is no display
//   ./run interop --headless --output interop.png
//   ./run interop --check --size 256    in a window, if there is a display, its pixels are compared
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
#include "../common/timing.h"

// The green of pixel (x, y) of dim x dim: a wave of |x| - |y|, measured from the middle.
__host__ __device__ inline unsigned char green_at(int x, int y, int dim) {
  const float fx = static_cast<float>(x) / dim - 0.5f;
  const float fy = static_cast<float>(y) / dim - 0.5f;
  return static_cast<unsigned char>(128 + 127 * sinf(fabsf(fx * 100) - fabsf(fy * 100)));
}

// One thread per pixel; pixels[x + y * dim]. Whose memory that is, the kernel does not know.
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

// (1) A window, and with it a context of OpenGL's, which is current in this thread from now on.
void open_window(int dim) {
  int argc = 1;
  char name[] = "interop";
  char* argv[] = {name, nullptr};
  glutInit(&argc, argv);
  glutInitDisplayMode(GLUT_DOUBLE | GLUT_RGBA);
  glutSetOption(GLUT_ACTION_ON_WINDOW_CLOSE, GLUT_ACTION_GLUTMAINLOOP_RETURNS);
  glutInitWindowSize(dim, dim);
  glutCreateWindow(name);
  end_when_window_is_gone();  // if another program takes it away
  glutDisplayFunc([] {});     // nothing to draw yet
}

// (2) Computes on the device that draws the window. False: no CUDA device does.
bool choose_device_of_window() {
  unsigned int count = 0;
  int device = 0;
  const cudaError_t error = cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll);
  if (error == cudaSuccess && count > 0) HANDLE_ERROR(cudaSetDevice(device));
  cudaGetLastError();  // forgets an error, whose reason interop_problem() tells

  const std::string problem = interop_problem();
  if (!problem.empty()) std::fprintf(stderr, "interop: %s\n", problem.c_str());
  return problem.empty();
}

// (3) A buffer that OpenGL draws pixels from, without content.
GLuint make_buffer(int dim) {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glBufferData(GL_PIXEL_UNPACK_BUFFER, GLsizeiptr{4} * dim * dim, nullptr, GL_DYNAMIC_DRAW);
  return buffer;
}

// (5) Lends the buffer to CUDA, which fills it. Unmapping waits for the kernel before OpenGL may
// draw.
void fill_by_kernel(cudaGraphicsResource* resource, int dim) {
  uchar4* pixels = nullptr;
  size_t bytes = 0;
  HANDLE_ERROR(cudaGraphicsMapResources(1, &resource));
  HANDLE_ERROR(
      cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void**>(&pixels), &bytes, resource));
  launch_stripes(pixels, dim);
  HANDLE_ERROR(cudaGraphicsUnmapResources(1, &resource));
}

// The same without interoperability: device memory, a copy to the host, and one to OpenGL.
void fill_through_host(GLuint buffer, uchar4* pixels, std::vector<unsigned char>& host, int dim) {
  launch_stripes(pixels, dim);
  HANDLE_ERROR(cudaMemcpy(host.data(), pixels, host.size(), cudaMemcpyDeviceToHost));
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, static_cast<GLsizeiptr>(host.size()), host.data());
}

// The same with page-locked memory of the host's that the kernel writes itself: `pixels` is the
// device's name of `host`. One copy less, but every pixel crosses the bus while the kernel runs.
void fill_by_zero_copy(GLuint buffer, uchar4* pixels, const unsigned char* host, int dim) {
  launch_stripes(pixels, dim);
  HANDLE_ERROR(cudaDeviceSynchronize());  // before the host reads it
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, GLsizeiptr{4} * dim * dim, host);
}

// (6) Draws what is in the buffer: with one bound, the last argument is an offset into it.
void draw_buffer(GLuint buffer, int dim) {
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glDrawPixels(dim, dim, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
}

bool drawn_pixels_agree(GLuint buffer, int dim) {
  Image drawn(dim, dim);
  draw_buffer(buffer, dim);
  glReadPixels(0, 0, dim, dim, GL_RGBA, GL_UNSIGNED_BYTE, drawn.rgba.data());
  return check_images("window", drawn, reference_stripes(dim), 1);  // sinf of CPU and GPU
}

// What GLUT's callbacks find with the window: they get no arguments of ours.
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
    // (4) CUDA gets to know the buffer, once. It will write all of it and read nothing.
    cudaGraphicsResource* resource = nullptr;
    HANDLE_ERROR(
        cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard));
    fill_by_kernel(resource, dim);
    // (7) Before the window and its context go.
    HANDLE_ERROR(cudaGraphicsUnregisterResource(resource));
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

// For a file, or without a display: the picture takes the way that it always takes.
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

void draw_and_wait(GLuint buffer, int dim) {
  draw_buffer(buffer, dim);
  glFinish();
}

std::string with_size(const std::string& name, int dim) {
  return name + ", " + std::to_string(dim) + " x " + std::to_string(dim);
}

// The three ways to a frame in the window: each is checked, and measured from the launch to the
// drawn pixel.
bool benchmark_copies(BenchmarkTable& table, GLuint buffer, int dim) {
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

bool benchmark_zero_copy(BenchmarkTable& table, GLuint buffer, int dim) {
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

bool benchmark_interop(BenchmarkTable& table, GLuint buffer, int dim) {
  cudaGraphicsResource* resource = nullptr;
  HANDLE_ERROR(
      cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard));
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
  HANDLE_ERROR(cudaGraphicsUnregisterResource(resource));
  return passed;
}

// At sizes from 512 to 4096, as far as the screen reaches.
int benchmark(const Options& options) {
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

// What can be measured without OpenGL: the kernel, and its copy to the host.
int benchmark_without_window(const Options& options) {
  std::fprintf(stderr, "interop: there is no display, so what needs no OpenGL is measured.\n");
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

int main(int argc, char** argv) {
  Options options("interop", Common::glut | Common::check | Common::benchmark | Common::device);
  options.size = 512;
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));  // where there is no window to choose it

  const bool in_window = wants_window(options);
  if (options.benchmark) return in_window ? benchmark(options) : benchmark_without_window(options);
  if (in_window && options.output.empty()) return run_in_window(options);
  return run_without_interop(options);
}
