// julia - a Julia set, one thread per pixel; in a window the mouse chooses the set.
//
// CUDA by Example, chapter 4 (parallel programming in CUDA C), section 4.2.2, "GPU Julia Set". What
// differs from a loop on the CPU: diff julia_cpu.cu julia.cu
// Terms (docs/glossary.md): kernel, grid, block, thread, divergence.
//
//   ./run julia                                   a window, or a film after some seconds
//   ./run julia --re -0.4 --im 0.6 --size 512 --frames 1 --headless --output julia.png
//   ./run julia --check --size 256 --frames 2
//
// Keys: Esc or q quits, space pauses, s saves a picture, r restarts; a click or drag chooses c.
// What to see: the picture of julia_cpu; then c moves around a circle, and the set changes with it.
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
#include "../common/timing.h"

constexpr int max_steps = 200;

// Functions that both the host and the device call are compiled for both.
struct Complex {
  float re;
  float im;

  __host__ __device__ Complex operator*(Complex z) const {
    const float product = re * z.re - im * z.im;
    return {product, im * z.re + re * z.im};
  }
  __host__ __device__ Complex operator+(Complex z) const { return {re + z.re, im + z.im}; }
  __host__ __device__ float squared_length() const { return re * re + im * im; }
};

// The point of pixel (x, y): the picture shows -1.5 to 1.5 in both directions, from right to left
// and from top to bottom, as the book's.
__host__ __device__ Complex point_of(int x, int y, int dim) {
  const float re = 1.5f * (dim - 2 * x) / dim;
  const float im = 1.5f * (dim - 2 * y) / dim;
  return {re, im};
}

// The number of steps z = z * z + c until a point is far away; max_steps: it is in the set.
__host__ __device__ int steps_until_far(Complex z, Complex c) {
  for (int step = 0; step < max_steps; ++step) {
    z = z * z + c;
    if (z.squared_length() > 1000) return step;
  }
  return max_steps;
}

// From black over red and yellow to white; the set itself is black.
__host__ __device__ uchar4 color_of(int steps) {
  if (steps == max_steps) return {0, 0, 0, 255};
  const int heat = 9 * steps;  // 0 to 765 and beyond: 255 for each channel
  return {static_cast<unsigned char>(std::min(heat, 255)),
          static_cast<unsigned char>(std::clamp(heat - 255, 0, 255)),
          static_cast<unsigned char>(std::clamp(heat - 510, 0, 255)), 255};
}

// pixels[x + y * dim], one after another: the CPU reference.
void julia_loop(uchar4* pixels, int dim, Complex c) {
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x)
      pixels[x + static_cast<size_t>(y) * dim] = color_of(steps_until_far(point_of(x, y, dim), c));
}

// The same with one thread per pixel, all at the same time. With one thread per block, as in the
// book, x and y are blockIdx.x and blockIdx.y.
__global__ void julia_kernel(uchar4* pixels, int dim, Complex c) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  pixels[x + static_cast<size_t>(y) * dim] = color_of(steps_until_far(point_of(x, y, dim), c));
}

// Times blocks of several shapes. launch: draws a picture with blocks of this shape.
void print_benchmark(int dim, const std::function<void(dim3)>& launch) {
  BenchmarkTable table("Julia set, threads of a block");
  const double bytes = static_cast<double>(dim) * dim * sizeof(uchar4);
  for (const dim3 threads : {dim3(1, 1), dim3(8, 8), dim3(16, 16), dim3(32, 8)})
    table.add(std::to_string(threads.x) + " x " + std::to_string(threads.y),
              measure([&] { launch(threads); }), bytes);
  table.print();
}

int main(int argc, char** argv) {
  Options options("julia", Common::animation | Common::check | Common::benchmark | Common::device);
  Complex c{-0.8f, 0.156f};  // the book's
  int side = 16;
  options.size = 1000;
  options.add("--re", c.re, "real part of c in z = z * z + c", -2, 2);
  options.add("--im", c.im, "imaginary part of c", -2, 2);
  options.add("--block", side, "a block has N x N threads; the book's N is 1", 1, 32);
  options.add_keys({{"click, drag", "choose c"}});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  CPUAnimBitmap bitmap(dim, dim);
  uchar4* pixels;
  HANDLE_ERROR(cudaMalloc(&pixels, bitmap.image_size()));

  const auto launch = [&](dim3 threads) {
    const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
    julia_kernel<<<blocks, threads>>>(pixels, dim, c);
    HANDLE_ERROR(cudaGetLastError());
  };

  // c moves around 0, two degrees per frame, until the mouse chooses a c.
  const Complex first = c;
  bool chosen = false;
  float ms = 0;
  EventTimer timer;
  const auto draw = [&](int frame) {
    const float angle = 0.0349066f * static_cast<float>(frame);
    if (!chosen) c = first * Complex{std::cos(angle), std::sin(angle)};
    timer.start();
    launch(dim3(side, side));
    ms = timer.stop();
    HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), pixels, bitmap.image_size(), cudaMemcpyDeviceToHost));
  };

  int code = 0;
  if (options.check || options.benchmark) {
    // No tolerance: neither the GPU nor the CPU fuses a multiplication with an addition.
    bool passed = true;
    const int frames = options.frames_given ? options.frames : 1;
    for (int frame = 0; frame < frames && passed; ++frame) {
      draw(frame);
      Image expected(dim, dim);
      julia_loop(reinterpret_cast<uchar4*>(expected.rgba.data()), dim, c);
      passed = check_images("frame " + std::to_string(frame), bitmap.view(), expected, 0);
    }
    if (options.benchmark && passed) print_benchmark(dim, launch);
    code = verdict(options.name(), passed);
  } else {
    Interaction mouse;
    mouse.drag = [&](int, int, int x, int y) {
      c = point_of(x, y, dim);
      chosen = true;
    };
    mouse.restart = [&] { chosen = false; };
    mouse.title = [&] {
      char text[100];
      std::snprintf(text, sizeof text, "c = %.3f %+.3f i", c.re, c.im);
      return std::string(text);
    };
    code = bitmap.animate(options, draw, mouse);
    std::printf("Time to generate, last frame: %s\n", time_text(ms).c_str());
  }

  HANDLE_ERROR(cudaFree(pixels));
  return code;
}
