// ripple_interop - rings run outwards; the kernel writes each frame into memory that OpenGL draws.
//
// CUDA by Example, chapter 8 (graphics interoperability), section 8.3: the ripple of chapter 5,
// whose frames went through the host. The book hides these calls in GPUAnimBitmap; here are the
// calls of a frame.
// Terms (docs/glossary.md): graphics interoperability, kernel.
//
//   ./run ripple_interop                   a window, or a film if there is no display
//   ./run ripple_interop --headless --frames 60 --output ripple.gif
//   ./run ripple_interop --check --size 256
//
// Keys: Esc or q quits, space pauses, s saves a picture, r restarts, h shows all keys; a click or
// drag moves the center. What to see: rings that fade as they spread; the title's last word names
// the frames' way to the window.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/gl_interop.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"

// The center of the rings, in pixels.
struct Center {
  float x;
  float y;
};

// The gray of pixel (x, y) at a time: a wave of the distance from the center, which is lower
// farther out.
__host__ __device__ inline unsigned char gray_at(int x, int y, Center center, int ticks) {
  const float fx = x - center.x;
  const float fy = y - center.y;
  const float d = sqrtf(fx * fx + fy * fy);
  return static_cast<unsigned char>(128.0f +
                                    127.0f * cosf(d / 10.0f - ticks / 7.0f) / (d / 10.0f + 1.0f));
}

// One thread per pixel; pixels[x + y * dim].
__global__ void ripple_kernel(uchar4* pixels, int dim, Center center, int ticks) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const unsigned char gray = gray_at(x, y, center, ticks);
  pixels[x + static_cast<size_t>(y) * dim] = make_uchar4(gray, gray, gray, 255);
}

void launch_ripple(uchar4* pixels, int dim, Center center, int ticks) {
  const dim3 threads(16, 16);
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  ripple_kernel<<<blocks, threads>>>(pixels, dim, center, ticks);
  HANDLE_ERROR(cudaGetLastError());
}

// CPU reference.
Image reference_ripple(int dim, Center center, int ticks) {
  Image image(dim, dim);
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) std::fill_n(image.pixel(x, y), 3, gray_at(x, y, center, ticks));
  return image;
}

int main(int argc, char** argv) {
  Options options("ripple_interop", Common::animation | Common::check | Common::device);
  options.add_keys({{"click, drag", "move the center"}});
  options.default_size({.gpu = 1024, .emulated = 512});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  const Center center_of_picture{dim / 2.0f, dim / 2.0f};
  Center center = center_of_picture;
  CPUBitmap bitmap(dim, dim);  // for files, and for windows that another device draws
  uchar4* own_pixels = nullptr;
  HANDLE_ERROR(cudaMalloc(&own_pixels, bitmap.image_size()));

  // An OpenGL buffer. It is registered when the window opens; interop.cu shows the steps.
  WindowBuffer in_window(options.name(), bitmap.get_ptr(), bitmap.image_size());

  // Each frame: lend the buffer to CUDA, fill it, and return it. Unmapping makes OpenGL wait for
  // the kernel.
  const auto draw = [&](int ticks) {
    cudaGraphicsResource* buffer = in_window.resource();
    if (buffer != nullptr) {
      uchar4* pixels = nullptr;
      size_t size = 0;
      HANDLE_ERROR(cudaGraphicsMapResources(1, &buffer));
      HANDLE_ERROR(
          cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void**>(&pixels), &size, buffer));
      launch_ripple(pixels, dim, center, ticks);
      HANDLE_ERROR(cudaGraphicsUnmapResources(1, &buffer));
    } else {
      launch_ripple(own_pixels, dim, center, ticks);
      HANDLE_ERROR(
          cudaMemcpy(bitmap.get_ptr(), own_pixels, bitmap.image_size(), cudaMemcpyDeviceToHost));
    }
  };

  int code = 0;
  if (options.check) {
    draw(options.frames);
    // cosf of CPU and GPU differ in the last bits: one level of gray.
    const bool passed =
        check_images("picture", bitmap.view(), reference_ripple(dim, center, options.frames), 1);
    code = verdict(options.name(), passed);
  } else {
    Interaction mouse;
    mouse.drag = [&](int, int, int x, int y) {
      center = {static_cast<float>(x), static_cast<float>(y)};
    };
    mouse.restart = [&] { center = center_of_picture; };
    code = present(options, bitmap.view(), draw, mouse, &in_window.gl_frame());
  }
  HANDLE_ERROR(cudaFree(own_pixels));
  return code;
}
