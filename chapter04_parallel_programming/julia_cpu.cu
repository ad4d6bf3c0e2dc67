// julia_cpu - a Julia set, pixel after pixel in a loop on the CPU.
//
// CUDA by Example, chapter 4 (parallel programming in CUDA C), section 4.2.2, "CPU Julia Set". What
// a device makes of it: diff julia_cpu.cu julia.cu
// Terms (docs/glossary.md): host.
//
//   ./run julia_cpu                               a window if there is a display
//   ./run julia_cpu --re -0.4 --im 0.6 --size 512 --headless --output julia.png
//   ./run julia_cpu --check --size 256
//
// Keys: Esc or q quits, s saves a picture. What to see: the set in black. The colors around it show
// how soon a point leaves: dark red at once, white after many steps.
#include <algorithm>
#include <complex>
#include <cstdio>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/options.h"
#include "../common/timing.h"

constexpr int max_steps = 200;

struct Complex {
  float re;
  float im;

  Complex operator*(Complex z) const {
    const float product = re * z.re - im * z.im;
    return {product, im * z.re + re * z.im};
  }
  Complex operator+(Complex z) const { return {re + z.re, im + z.im}; }
  float squared_length() const { return re * re + im * im; }
};

// The point of pixel (x, y): the picture shows -1.5 to 1.5 in both directions, from right to left
// and from top to bottom, as the book's.
Complex point_of(int x, int y, int dim) {
  const float re = 1.5f * (dim - 2 * x) / dim;
  const float im = 1.5f * (dim - 2 * y) / dim;
  return {re, im};
}

// The number of steps z = z * z + c until a point is far away; max_steps: it is in the set.
int steps_until_far(Complex z, Complex c) {
  for (int step = 0; step < max_steps; ++step) {
    z = z * z + c;
    if (z.squared_length() > 1000) return step;
  }
  return max_steps;
}

// From black over red and yellow to white; the set itself is black.
uchar4 color_of(int steps) {
  if (steps == max_steps) return {0, 0, 0, 255};
  const int heat = 9 * steps;  // 0 to 765 and beyond: 255 for each channel
  return {static_cast<unsigned char>(std::min(heat, 255)),
          static_cast<unsigned char>(std::clamp(heat - 255, 0, 255)),
          static_cast<unsigned char>(std::clamp(heat - 510, 0, 255)), 255};
}

// pixels[x + y * dim], one after another.
void julia_loop(uchar4* pixels, int dim, Complex c) {
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x)
      pixels[x + static_cast<size_t>(y) * dim] = color_of(steps_until_far(point_of(x, y, dim), c));
}

// The check must not repeat the code that it checks. So it uses the complex numbers of the standard
// library, which round in the same way.
Image reference_julia(int dim, Complex c) {
  Image image(dim, dim);
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const Complex point = point_of(x, y, dim);
      std::complex<float> z(point.re, point.im);
      int steps = 0;
      while (steps < max_steps) {
        z = z * z + std::complex<float>(c.re, c.im);
        if (std::norm(z) > 1000) break;
        ++steps;
      }
      const uchar4 color = color_of(steps);
      std::copy_n(&color.x, 3, image.pixel(x, y));
    }
  return image;
}

int main(int argc, char** argv) {
  Options options("julia_cpu", Common::picture | Common::check);
  Complex c{-0.8f, 0.156f};  // the book's
  options.size = 1000;
  options.add("--re", c.re, "real part of c in z = z * z + c", -2, 2);
  options.add("--im", c.im, "imaginary part of c", -2, 2);
  options.parse(argc, argv);

  const int dim = options.size;
  CPUBitmap bitmap(dim, dim);

  const HostTimer timer;
  julia_loop(reinterpret_cast<uchar4*>(bitmap.get_ptr()), dim, c);
  std::printf("Time to generate, on the CPU: %.3f ms\n", timer.ms());

  if (options.check)
    return verdict(options.name(),
                   check_images("picture", bitmap.view(), reference_julia(dim, c), 0));
  return bitmap.show(options);
}
