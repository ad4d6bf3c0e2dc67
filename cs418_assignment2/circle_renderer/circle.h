#pragma once
// Circles and the image in memory, and the formulas that all rungs and the CPU reference share.
//
// They must agree bit for bit, because a pixel at the rim is covered or it is not. Fused
// multiply-adds break this. dx * dx + dy * dy rounded once (GPU) and rounded twice (a CPU without
// it) differ in the last bit, and a rim pixel flips. So the sample is compiled without contraction
// (EXACT in CMakeLists.txt: -fmad=false), and the formulas that decide prevent fusion themselves.

#include <cuda_runtime.h>
#include <math.h>

#include <cstddef>

namespace circle_renderer {

/// 0 is dark, 1 is as bright as the screen; a little above is fine.
struct Rgb {
  float red;
  float green;
  float blue;
};

/// The circles, in the order of drawing. Lengths are fractions of the
/// image's width; y grows upward.
struct Circles {
  const float4* shapes;  // x, y, radius, alpha; of a snowflake its depth instead of alpha
  const Rgb* colors;     // snowflakes have none
  int count;
  bool snow;  // all of them are snowflakes
};

/// size x size pixels (red, green, blue, unused), row 0 at the bottom.
struct Canvas {
  float4* pixels;
  int size;
  // size as a float, and 1 / size: kernels would work them out for every thread
  float extent;
  float pixel_side;

  static Canvas of(float4* pixels, int size) {
    return {pixels, size, static_cast<float>(size), 1 / static_cast<float>(size)};
  }
  __host__ __device__ float4& at(int column, int row) const {
    return pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(size) +
                  static_cast<std::size_t>(column)];
  }
  /// Where the center of a pixel of that column or row lies: (index + 0.5) / size, to the
  /// last bit. A step of Newton's method corrects the product with the reciprocal, cheaper
  /// than a division. (P. Markstein, "Computation of elementary functions on the IBM RISC
  /// System/6000 processor", 1990.)
  __host__ __device__ float center(int index) const {
    const float wanted = static_cast<float>(index) + 0.5f;
    const float quotient = wanted * pixel_side;
    return fmaf(fmaf(-quotient, extent, wanted), pixel_side, quotient);
  }
};

/// A rectangle of pixel centers: the first and the last column, the first and the last row.
struct Box {
  float left;
  float right;
  float bottom;
  float top;
};

/// a * b, rounded before anything is added to it.
__host__ __device__ inline float product(float a, float b) {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_DEVICE)
  return __fmul_rn(a, b);
#else
  return a * b;  // compiled with -ffp-contract=off
#endif
}
__host__ __device__ inline float squared_distance(float dx, float dy) {
  return product(dx, dx) + product(dy, dy);
}

/// A circle with everything worked out that does not depend on the pixel.
struct alignas(16) Prepared {
  // extra: of a snowflake the alpha of its center
  float x;
  float y;
  float radius_squared;
  float extra;
  // alpha * color, 1 - alpha; of a snowflake the factors of the squared distance in shade()
  float4 paint;
};
__host__ __device__ inline Prepared prepare(float4 shape, Rgb color, bool snow) {
  const float radius_squared = shape.z * shape.z;
  if (snow) {  // fainter the farther away; exp(a) is exp2(1.44269504 a)
    const float alpha = 0.5f * fminf(fmaxf(0.6f + 0.4f * (1 - shape.w), 0.0f), 1.0f);
    return {shape.x, shape.y, radius_squared, alpha,
            make_float4(-4 * 1.44269504f / radius_squared, 16 / radius_squared, 0, 0)};
  }
  return {
      shape.x, shape.y, radius_squared, 0,
      make_float4(shape.w * color.red, shape.w * color.green, shape.w * color.blue, 1 - shape.w)};
}
__host__ __device__ inline Prepared prepare(const Circles& circles, int i) {
  return prepare(circles.shapes[i], circles.snow ? Rgb{} : circles.colors[i], circles.snow);
}

/// Does circle i cover the point?
__host__ __device__ inline bool covers(const Prepared& circle, float x, float y) {
  return squared_distance(x - circle.x, y - circle.y) <= circle.radius_squared;
}
__host__ __device__ inline bool covers(const Circles& circles, int i, float x, float y) {
  const float4 shape = circles.shapes[i];
  return squared_distance(x - shape.x, y - shape.y) <= shape.z * shape.z;
}

/// The color of a point that the circle covers: the circle laid over `below`.
__host__ __device__ inline float4 shade(const Prepared& circle, bool snow, float x, float y,
                                        float4 below) {
  float4 paint = circle.paint;
  if (snow) {
    // From white at the center to (.8, .8, 1) at the rim in four steps: red falls by
    // 0.2 in the second, green by 0.1 in the second and in the fourth. Alpha falls as
    // exp(-4 d^2), d = distance / radius.
    const float distance_squared = squared_distance(x - circle.x, y - circle.y);
    const float along = sqrtf(paint.y * distance_squared);  // 0 to 4
    const float second = fminf(fmaxf(along - 1, 0.0f), 1.0f);
    const float fourth = fminf(fmaxf(along - 3, 0.0f), 1.0f);
    const float alpha = circle.extra * exp2f(paint.x * distance_squared);
    paint = {alpha * (1 - 0.2f * second), alpha * (1 - 0.1f * (second + fourth)), alpha, 1 - alpha};
  }
  return {product(paint.w, below.x) + paint.x, product(paint.w, below.y) + paint.y,
          product(paint.w, below.z) + paint.z, below.w};
}
__host__ __device__ inline float4 shade(const Circles& circles, int i, float x, float y,
                                        float4 below) {
  return shade(prepare(circles, i), circles.snow, x, y, below);
}

/// The pixels first..last of a row or column that a circle at `center` can cover; none when first >
/// last. A little too generous, never too small: the margin is sixteen units in the last place,
/// where five would do.
struct PixelRange {
  int first;
  int last;
};
__host__ __device__ inline PixelRange pixel_range(float center, float radius, const Canvas& image) {
  const float middle = center * image.extent - 0.5f;
  float reach = radius * image.extent;
  reach += 1e-6f * (fabsf(middle) + reach + image.extent);
  // The clamps come before the conversion, because a float beyond the range of int has no int.
  const float first = fminf(fmaxf(middle - reach, 0.0f), image.extent);
  const float last = fmaxf(fminf(middle + reach, image.extent - 1), -1.0f);
  return {static_cast<int>(ceilf(first)), static_cast<int>(floorf(last))};
}

}  // namespace circle_renderer
