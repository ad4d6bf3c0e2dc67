#pragma once
// Circles and the image in memory, and the formulas that all rungs and the CPU reference share.
//
// They must agree bit for bit, because a pixel at the rim is covered or it is not. Fused
// multiply-adds break this: of dx * dx + dy * dy a GPU then rounds one product and the sum, a CPU
// without them both products and the sum. The last bit differs, and a rim pixel flips. So the
// sample is compiled without contraction (EXACT in CMakeLists.txt: -fmad=false), and the formulas
// that decide prevent fusion themselves.

#include <cuda_runtime.h>
#include <math.h>

#include <cstddef>

namespace circle_renderer {

/// 0 is dark, 1 is as bright as the screen; slightly more is fine.
struct Rgb {
  float red;
  float green;
  float blue;
};

/// A circle without its color, in memory: 16 bytes, which one access reads. Lengths are fractions
/// of the image's width; y grows upward.
struct alignas(16) CircleShape {
  float x;
  float y;
  float radius;
  float alpha_or_depth;  // a snowflake has a depth
};

/// The circles, in the order of drawing.
struct Circles {
  const CircleShape* shapes;
  const Rgb* colors;  // snowflakes have none
  int count;
  bool snow;  // all of them are snowflakes
};

/// size x size pixels (red, green, blue, unused), row 0 at the bottom.
struct Canvas {
  float4* pixels;
  int size;
  float extent;      // size as a float: a kernel would convert it for every thread
  float pixel_side;  // 1 / size, for the same reason

  static Canvas of(float4* pixels, int size) {
    return {pixels, size, static_cast<float>(size), 1 / static_cast<float>(size)};
  }
  __host__ __device__ float4& at(int column, int row) const {
    return pixels[static_cast<size_t>(row) * static_cast<size_t>(size) +
                  static_cast<size_t>(column)];
  }
  /// The center of a pixel of that column or row: (index + 0.5) / size, exact to the last
  /// bit. A step of Newton's method corrects the product with the reciprocal, cheaper
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

/// A flat circle with all precomputed values that do not depend on the pixel.
struct alignas(16) FlatCircle {
  float x;
  float y;
  float radius_squared;
  bool covers_tile;     // for warp_tile.cuh: no pixel of the tile needs the test
  Rgb paint;            // alpha * color
  float transmittance;  // 1 - alpha: the visible share of the colors below

  static __host__ __device__ FlatCircle of(CircleShape shape, Rgb color) {
    const float alpha = shape.alpha_or_depth;
    const Rgb paint = {alpha * color.red, alpha * color.green, alpha * color.blue};
    return {.x = shape.x,
            .y = shape.y,
            .radius_squared = shape.radius * shape.radius,
            .covers_tile = false,
            .paint = paint,
            .transmittance = 1 - alpha};
  }
  static __host__ __device__ FlatCircle of(const Circles& circles, int i) {
    return of(circles.shapes[i], circles.colors[i]);
  }
};

/// A snowflake, likewise.
struct alignas(16) Snowflake {
  float x;
  float y;
  float radius_squared;
  float alpha;   // of its center: fainter the farther away
  float fading;  // alpha falls as exp2(fading * d^2), d being the distance from the center
  float stages;  // sqrt(stages * d^2) goes from 0 at the center to 4 at the rim

  static __host__ __device__ Snowflake of(CircleShape shape, Rgb /*none*/) {
    const float radius_squared = shape.radius * shape.radius;
    return {.x = shape.x,
            .y = shape.y,
            .radius_squared = radius_squared,
            .alpha = 0.5f * fminf(fmaxf(0.6f + 0.4f * (1 - shape.alpha_or_depth), 0.0f), 1.0f),
            .fading = -4 * 1.44269504f / radius_squared,  // exp(a) is exp2(1.44269504 a)
            .stages = 16 / radius_squared};
  }
  static __host__ __device__ Snowflake of(const Circles& circles, int i) {
    return of(circles.shapes[i], Rgb{});
  }
};

/// Does the circle cover the point?
template <class Shape>
__host__ __device__ inline bool covers(const Shape& circle, float x, float y) {
  return squared_distance(x - circle.x, y - circle.y) <= circle.radius_squared;
}
__host__ __device__ inline bool covers(const Circles& circles, int i, float x, float y) {
  const CircleShape shape = circles.shapes[i];
  return squared_distance(x - shape.x, y - shape.y) <= shape.radius * shape.radius;
}

/// May the circle cover a pixel center of the box? It may if it covers the box's point nearest to
/// its center. Rounding is monotonic, so no circle that covers a pixel is missed.
__host__ __device__ inline bool may_touch(const CircleShape& shape, const Box& box) {
  const float nearest_x = fminf(fmaxf(shape.x, box.left), box.right);
  const float nearest_y = fminf(fmaxf(shape.y, box.bottom), box.top);
  return squared_distance(nearest_x - shape.x, nearest_y - shape.y) <= shape.radius * shape.radius;
}

/// The layer that a circle puts over a point that it covers.
struct Layer {
  Rgb paint;            // alpha * color
  float transmittance;  // 1 - alpha
};
__host__ __device__ inline Layer layer(const FlatCircle& circle, float /*x*/, float /*y*/) {
  return {circle.paint, circle.transmittance};
}
/// From white at the center to (.8, .8, 1) at the rim in four stages: red falls by
/// 0.2 in the second, green by 0.1 in the second and in the fourth. Alpha falls as
/// exp(-4 d^2), d = distance / radius.
__host__ __device__ inline Layer layer(const Snowflake& flake, float x, float y) {
  const float distance_squared = squared_distance(x - flake.x, y - flake.y);
  const float along = sqrtf(flake.stages * distance_squared);  // 0 to 4
  const float second = fminf(fmaxf(along - 1, 0.0f), 1.0f);
  const float fourth = fminf(fmaxf(along - 3, 0.0f), 1.0f);
  const float alpha = flake.alpha * exp2f(flake.fading * distance_squared);
  return {{alpha * (1 - 0.2f * second), alpha * (1 - 0.1f * (second + fourth)), alpha}, 1 - alpha};
}

/// The color of a point that the circle covers: the circle laid over `below`.
__host__ __device__ inline float4 over(const Layer& layer, float4 below) {
  return {product(layer.transmittance, below.x) + layer.paint.red,
          product(layer.transmittance, below.y) + layer.paint.green,
          product(layer.transmittance, below.z) + layer.paint.blue, below.w};
}
template <class Shape>
__host__ __device__ inline float4 shade(const Shape& circle, float x, float y, float4 below) {
  return over(layer(circle, x, y), below);
}
__host__ __device__ inline float4 shade(const Circles& circles, int i, float x, float y,
                                        float4 below) {
  const Layer top = circles.snow ? layer(Snowflake::of(circles, i), x, y)
                                 : layer(FlatCircle::of(circles, i), x, y);
  return over(top, below);
}

/// The pixels first..last of a row or column that a circle at `center` can cover; none when first >
/// last. Slightly too generous, never too small: the margin is sixteen units in the last place,
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
