#pragma once
// A circle, and the few formulas that every renderer of this sample shares.
//
// The formulas are here, once, for CPU and GPU, because they have to agree to the last bit: a pixel at the
// rim is either covered or it is not. The enemy is the fused multiply-add: dx * dx + dy * dy rounded once
// (GPU) and rounded twice (a CPU without it) differ in the last bit, and then a rim pixel flips. The sample
// is therefore compiled without contraction (EXACT in CMake), and the two formulas that decide say so
// themselves.

#include <cuda_runtime.h>

/// Position and radius as a fraction of the image's width; y grows upward. Colors 0..1 (a little above is
/// fine). A renderer draws circles in the order of the array; z is only data (snow uses it as the distance of
/// a flake).
struct Circle {
  float x, y, z, radius;
  float red, green, blue, alpha;
};

/// Red, green, blue: 0 is dark, 1 is as bright as the screen.
struct Rgb {
  float red, green, blue;
};

/// a * b + c with two roundings, on every device.
__host__ __device__ inline float multiply_add_unfused(float a, float b, float c) {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_DEVICE)
  return __fadd_rn(__fmul_rn(a, b), c);
#else
  return a * b + c;  // compiled with -ffp-contract=off
#endif
}

/// Where the center of pixel `index` (0..size-1) of a row or column lies: between 0 and 1.
__host__ __device__ inline float pixel_center(int index, int size) {
  return (static_cast<float>(index) + 0.5f) / static_cast<float>(size);
}

__host__ __device__ inline float squared_distance(float dx, float dy) {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_DEVICE)
  return multiply_add_unfused(dx, dx, __fmul_rn(dy, dy));
#else
  return multiply_add_unfused(dx, dx, dy * dy);
#endif
}

/// One channel of one circle laid over what is below it. `light` is alpha * color.
/// The CPU reference computes exactly this, circle after circle.
__host__ __device__ inline float blend_over(float light, float alpha, float below) {
  return multiply_add_unfused(1 - alpha, below, light);
}

/// A rectangle of pixel centers: the first and the last column, the first and the last row.
struct Box {
  float left, right, bottom, top;
};

/// Does the circle touch a pixel center of the box, or may it? Never a false no: rounding is monotonic, so a
/// pixel that is farther away in x and in y than the nearest point of the box also has a squared distance
/// that is no smaller after rounding. No safety margin is needed, because this is the very formula that
/// decides for the pixel.
__host__ __device__ inline bool may_touch(float x, float y, float radius_squared, const Box& box) {
  const float nearest_x = fminf(fmaxf(x, box.left), box.right);
  const float nearest_y = fminf(fmaxf(y, box.bottom), box.top);
  return squared_distance(nearest_x - x, nearest_y - y) <= radius_squared;
}

/// Does the circle cover every pixel center of the box? The same argument with the farthest corner: never a
/// false yes.
__host__ __device__ inline bool covers_all(float x, float y, float radius_squared, const Box& box) {
  const float farthest_x = fmaxf(fabsf(box.left - x), fabsf(box.right - x));
  const float farthest_y = fmaxf(fabsf(box.bottom - y), fabsf(box.top - y));
  return squared_distance(farthest_x, farthest_y) <= radius_squared;
}

/// An image's side, with the numbers that kernels would otherwise work out again for every thread.
struct PixelGrid {
  int size;
  float extent;  // the same as a float
  float side;    // of a pixel: 1 / extent, rounded

  static PixelGrid of(int size) { return {size, static_cast<float>(size), 1 / static_cast<float>(size)}; }

  // The same as pixel_center(), to the last bit, with three operations where a division takes a dozen: one
  // step of Newton's method corrects the product with the reciprocal. (P. Markstein, "Computation of
  // elementary functions on the IBM RISC System/6000 processor", 1990. A test compares all pixels of all
  // sizes.)
  __host__ __device__ float center(int index) const {
    const float wanted = static_cast<float>(index) + 0.5f;
    const float quotient = wanted * side;
    const float missing = fmaf(-quotient, extent, wanted);
    return fmaf(missing, side, quotient);
  }
};

/// The pixels first..last (inclusive, within 0..size-1) of a row or column that a circle at `center` can
/// cover; none when first > last. A little too generous, never too small: the margin is sixteen units in the
/// last place of the numbers involved, where five would do.
struct PixelRange {
  int first, last;
};
__host__ __device__ inline PixelRange pixel_range(float center, float radius, const PixelGrid& grid) {
  const float middle = center * grid.extent - 0.5f;
  float reach = radius * grid.extent;
  reach += 1e-6f * (fabsf(middle) + reach + grid.extent);
  // The clamps come before the conversion, because a float beyond the range of int has no int.
  const float first = fminf(fmaxf(middle - reach, 0.0f), grid.extent);
  const float last = fmaxf(fminf(middle + reach, grid.extent - 1), -1.0f);
  return {static_cast<int>(ceilf(first)), static_cast<int>(floorf(last))};
}

/// The background is a vertical ramp; most scenes use no slope.
struct Background {
  Rgb at_the_top{1, 1, 1};
  Rgb towards_bottom{0, 0, 0};  // added in full at the bottom edge, in proportion above
};
__host__ __device__ inline Rgb background_at(const Background& background, float y) {
  const Rgb& top = background.at_the_top;
  const Rgb& slope = background.towards_bottom;
  const float down = 1 - y;
  return {multiply_add_unfused(slope.red, down, top.red), multiply_add_unfused(slope.green, down, top.green),
          multiply_add_unfused(slope.blue, down, top.blue)};
}
