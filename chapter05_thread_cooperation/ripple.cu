// ripple - rings that run over a pond; kernel, copy and drawing are timed apart.
//
// CUDA by Example, chapter 5 (thread cooperation), section 5.2.2, "GPU Ripple Using Threads". A
// frame is one launch, one thread per pixel, and a copy to the host, which draws it.
// Terms (docs/glossary.md): kernel, thread, block, grid, event.
//
//   ./run ripple                   a window, or a film after some seconds
//   ./run ripple --headless --frames 60 --output ripple.gif
//   ./run ripple --size 256 --check
//   ./run ripple --benchmark       kernel and copy; and a kernel with __cosf instead of cosf
//
// Keys: Esc or q quits, space pauses, s saves a picture, r restarts; a click or drag moves the
// center.
// What to see: rings that fade as they run. The title shows what a frame takes: kernel, copy,
// drawing.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_anim.h"
#include "../common/device.h"
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

// The same with __cosf, one instruction of the device instead of a function of many; its error
// grows with the angle. Only --benchmark uses it.
__global__ void fast_ripple_kernel(uchar4* pixels, int dim, Center center, int ticks) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const float d = distance(x, y, center);
  const auto gray =
      static_cast<unsigned char>(128 + 127 * __cosf(d / 10 - ticks / 7.0f) / (d / 10 + 1));
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

// How many pixels differ, and by how much at most.
void print_difference(const std::vector<unsigned char>& got,
                      const std::vector<unsigned char>& expected) {
  int different = 0;
  int largest = 0;
  for (size_t i = 0; i < got.size(); i += 4) {
    const int difference = std::abs(got[i] - expected[i]);
    if (difference > 0) ++different;
    largest = std::max(largest, difference);
  }
  std::printf("with __cosf %d pixels differ, by at most %d of 255%s\n", different, largest,
              is_emulated ? " (the emulated device takes cosf for it)" : "");
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
  const auto launch = [&](int frame) {
    // The book's ticks begin with 1.
    ripple_kernel<<<blocks, threads>>>(pixels, dim, center, frame + 1);
    HANDLE_ERROR(cudaGetLastError());
  };

  // A frame, and what its parts take: events around the kernel and the copy. What is left of the
  // time since the frame before is the window's: drawing it, and waiting for the screen.
  float kernel_ms = 0;
  float copy_ms = 0;
  double rest_ms = 0;
  EventTimer timer;
  HostTimer since_last_frame;
  const auto draw = [&](int frame) {
    rest_ms = since_last_frame.ms();
    timer.start();
    launch(frame);
    kernel_ms = timer.stop();
    timer.start();
    HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), pixels, bitmap.image_size(), cudaMemcpyDeviceToHost));
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
    if (options.benchmark && passed) {
      BenchmarkTable table("ripple, a frame of " + std::to_string(dim) + " x " +
                           std::to_string(dim) + " pixels");
      const double bytes = static_cast<double>(bitmap.image_size());
      table.add("kernel", measure([&] { launch(0); }), bytes);
      table.add("copy to the host", measure_host([&] {
                  HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), pixels, bitmap.image_size(),
                                          cudaMemcpyDeviceToHost));
                }),
                bytes);
      const auto launch_fast = [&](int frame) {
        fast_ripple_kernel<<<blocks, threads>>>(pixels, dim, center, frame + 1);
        HANDLE_ERROR(cudaGetLastError());
      };
      table.add("kernel with __cosf", measure([&] { launch_fast(0); }), bytes);
      table.print();

      const auto frame_of = [&](const auto& launch_it) {
        std::vector<unsigned char> image(bitmap.image_size());
        launch_it(options.frames - 1);
        HANDLE_ERROR(cudaMemcpy(image.data(), pixels, image.size(), cudaMemcpyDeviceToHost));
        return image;
      };
      print_difference(frame_of(launch_fast), frame_of(launch));
    }
    code = verdict(options.name(), passed);
  } else {
    Interaction mouse;
    mouse.drag = [&](int, int, int x, int y) { center = {x, y}; };
    mouse.restart = [&] { center = middle; };
    mouse.title = [&] {
      char text[100];
      std::snprintf(text, sizeof text, "kernel %.2f, copy %.2f, draw %.2f ms", kernel_ms, copy_ms,
                    rest_ms);
      return std::string(text);
    };
    code = bitmap.animate(options, draw, mouse);
    std::printf("Last frame: kernel %s, copy %s\n", time_text(kernel_ms).c_str(),
                time_text(copy_ms).c_str());
  }

  HANDLE_ERROR(cudaFree(pixels));
  return code;
}
