// ripple - rings that run over a pond; kernel, copy and drawing are timed separately.
//
// CUDA by Example, chapter 5 (thread cooperation), section 5.2.2, "GPU Ripple Using Threads". A
// frame is one launch, one thread per pixel, and a copy to the host. The host draws it.
// Terms (docs/glossary.md): kernel, thread, block, grid, event.
//
//   ./run ripple                   a window, or a film after some seconds
//   ./run ripple --headless --frames 60 --output ripple.gif
//   ./run ripple --size 256 --check
//   ./run ripple --benchmark       kernel and copy
//
// Keys: Esc or q quits, space pauses, s saves a picture, r restarts; a click or drag moves the
// center.
// What to see: rings that fade as they spread. The title shows the parts of a frame's time: kernel,
// copy, drawing.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_anim.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/parallel.h"
#include "../common/timing.h"

struct Center {
  int x;
  int y;
};

__host__ __device__ inline float distance(int x, int y, Center center) {
  const float fx = static_cast<float>(x - center.x);
  const float fy = static_cast<float>(y - center.y);
  return sqrtf(fx * fx + fy * fy);
}

// The brightness at distance d from the center: a cosine that moves outwards and fades.
__host__ __device__ inline unsigned char ripple(float d, int ticks) {
  return static_cast<unsigned char>(128 + 127 * cosf(d / 10 - ticks / 7.0f) / (d / 10 + 1));
}

// One thread per pixel; pixels[x + y * dim].
__global__ void ripple_kernel(uchar4* pixels, int dim, Center center, int ticks) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const unsigned char gray = ripple(distance(x, y, center), ticks);
  pixels[x + static_cast<size_t>(y) * dim] = make_uchar4(gray, gray, gray, 255);
}

// CPU reference: the same formula in a loop.
Image reference_ripple(int dim, Center center, int ticks) {
  Image image(dim, dim);
  parallel_for(dim, [&](int y) {
    for (int x = 0; x < dim; ++x)
      std::fill_n(image.pixel(x, y), 3, ripple(distance(x, y, center), ticks));
  });
  return image;
}

// Times the two parts of a frame that need the device.
void print_benchmark(int dim, const std::function<void()>& launch,
                     const std::function<void()>& copy) {
  const std::string size = std::to_string(dim) + " x " + std::to_string(dim);
  BenchmarkTable table("ripple, a frame of " + size + " pixels");
  const double bytes = static_cast<double>(dim) * dim * sizeof(uchar4);
  table.add("kernel", measure(launch), bytes);
  table.add("copy to the host", measure_host(copy), bytes);
  table.print();
}

int main(int argc, char** argv) {
  Options options("ripple", Common::animation | Common::check | Common::benchmark | Common::device);
  options.add_keys({{"click, drag", "move the center"}});
  options.default_size({.gpu = 1024, .emulated = 512});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  const Center middle{dim / 2, dim / 2};
  Center center = middle;
  CPUAnimBitmap bitmap(dim, dim);
  uchar4* pixels;
  HANDLE_ERROR(cudaMalloc(&pixels, bitmap.image_size()));

  const dim3 threads(16, 16);
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  const auto launch = [&](int ticks) {
    ripple_kernel<<<blocks, threads>>>(pixels, dim, center, ticks);
    HANDLE_ERROR(cudaGetLastError());
  };
  const auto copy = [&] {
    HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), pixels, bitmap.image_size(), cudaMemcpyDeviceToHost));
  };

  // The parts of a frame's time. draw_ms: after the copy the window draws and waits for the screen.
  float kernel_ms = 0;
  float copy_ms = 0;
  double draw_ms = 0;
  EventTimer timer;
  HostTimer since_last_frame;
  const auto draw = [&](int frame) {
    draw_ms = since_last_frame.ms();
    timer.start();
    launch(frame + 1);  // the book's ticks begin with 1
    kernel_ms = timer.stop();
    timer.start();
    copy();
    copy_ms = timer.stop();
    since_last_frame.restart();
  };

  int code = 0;
  if (options.check || options.benchmark) {
    // One level of gray, because a GPU's cosf differs from the CPU's in its last bits.
    bool passed = true;
    for (int frame = 0; frame < options.frames && passed; ++frame) {
      draw(frame);
      passed = check_images("frame " + std::to_string(frame), bitmap.view(),
                            reference_ripple(dim, center, frame + 1), 1);
    }
    if (options.benchmark && passed)
      print_benchmark(
          dim, [&] { launch(1); }, copy);
    code = verdict(options.name(), passed);
  } else {
    Interaction mouse;
    mouse.drag = [&](int, int, int x, int y) { center = {x, y}; };
    mouse.restart = [&] { center = middle; };
    mouse.title = [&] {
      char text[100];
      std::snprintf(text, sizeof text, "kernel %.2f, copy %.2f, draw %.2f ms", kernel_ms, copy_ms,
                    draw_ms);
      return std::string(text);
    };
    code = bitmap.animate(options, draw, mouse);
  }

  HANDLE_ERROR(cudaFree(pixels));
  return code;
}
