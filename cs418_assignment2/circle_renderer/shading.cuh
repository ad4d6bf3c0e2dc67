#pragma once
// How a circle changes a pixel: three ways, which the kernels take as a template parameter.
//
//   FlatInOrder       oldest circle first, each laid over what is there: the reference's own operations,
//                     so the result is the reference's to the last bit
//   FlatFrontToBack   newest circle first, with the light that still gets through: stops when (almost)
//                     none does
//   SnowInOrder       as FlatInOrder, but color and alpha depend on the distance from the flake's center
//
// Front to back: from the newest circle, which lies in front of all others, to the oldest. In input order a
// pixel becomes  a3 c3 + (1-a3) (a2 c2 + (1-a2) (a1 c1 + (1-a1) background)). Multiplied out it is a3 c3 +
// (1-a3) a2 c2 + (1-a3)(1-a2) a1 c1 + ...: a sum that can be taken from the newest circle on, if one keeps
// the transmittance, the part of the light from farther back that still gets through: the product of the
// (1-a) so far. What is left out after stopping weighs less than the transmittance times the largest color.

#include <cuda_runtime.h>

#include "cuda_renderer.cuh"

/// The state of one pixel.
struct Blend {
  float red, green, blue;
  float transmittance;  ///< front to back: how much of what lies farther back is still seen
};

/// A circle as it comes from memory.
struct Candidate {
  float4 shape;  // x, y, radius, alpha or z
  Rgb color;
};

/// A circle with everything worked out that does not depend on the pixel; two 16-byte loads from shared
/// memory.
struct alignas(16) Prepared {
  float x, y, radius_squared, extra;
  float4 paint;
};

/// 2^x and the square root, good to a few units in the last place: one instruction of the special function
/// unit each, where the exact ones take ten and more. Only the snow's color depends on them, and it may
/// differ by 1e-5. CUDA has no function for either instruction (exp2f and sqrtf become them only when a whole
/// program is compiled with -use_fast_math), so they are written as PTX. They stay two functions, because the
/// text of an asm statement cannot be a parameter.
__device__ inline float fast_exp2(float x) {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_DEVICE)
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return exp2f(x);
#endif
}
__device__ inline float fast_sqrt(float x) {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_DEVICE)
  float result;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return sqrtf(x);
#endif
}

struct FlatInOrder {
  static constexpr bool front_to_back = false;
  static constexpr bool flat = true;

  static __device__ Candidate fetch(const Circles& circles, int i) {
    return {circles.shapes[i], circles.colors[i]};
  }
  static __device__ Prepared prepare(const Candidate& circle) {
    const float alpha = circle.shape.w;
    return {circle.shape.x, circle.shape.y, circle.shape.z * circle.shape.z, 0,
            make_float4(alpha * circle.color.red, alpha * circle.color.green, alpha * circle.color.blue,
                        1 - alpha)};
  }
  static __device__ Blend start(const Rgb& background) {
    return {background.red, background.green, background.blue, 1};
  }
  static __device__ void blend(Blend& pixel, const Prepared& circle, float /*distance_squared*/) {
    pixel.red = multiply_add_unfused(circle.paint.w, pixel.red, circle.paint.x);
    pixel.green = multiply_add_unfused(circle.paint.w, pixel.green, circle.paint.y);
    pixel.blue = multiply_add_unfused(circle.paint.w, pixel.blue, circle.paint.z);
  }
  static __device__ Rgb finish(const Blend& pixel, const Rgb& /*background*/) {
    return {pixel.red, pixel.green, pixel.blue};
  }
};

struct FlatFrontToBack {
  static constexpr bool front_to_back = true;
  static constexpr bool flat = true;
  // Below this a pixel counts as opaque. Colors reach 2, so stopping changes no channel by more than 2e-6.
  static constexpr float opaque = 1e-6f;

  static __device__ Candidate fetch(const Circles& circles, int i) { return FlatInOrder::fetch(circles, i); }
  static __device__ Prepared prepare(const Candidate& circle) { return FlatInOrder::prepare(circle); }
  static __device__ Blend start(const Rgb& /*background*/) { return {0, 0, 0, 1}; }
  static __device__ void blend(Blend& pixel, const Prepared& circle, float /*distance_squared*/) {
    pixel.red = fmaf(pixel.transmittance, circle.paint.x, pixel.red);
    pixel.green = fmaf(pixel.transmittance, circle.paint.y, pixel.green);
    pixel.blue = fmaf(pixel.transmittance, circle.paint.z, pixel.blue);
    pixel.transmittance *= circle.paint.w;
  }
  static __device__ Rgb finish(const Blend& pixel, const Rgb& background) {
    return {fmaf(pixel.transmittance, background.red, pixel.red),
            fmaf(pixel.transmittance, background.green, pixel.green),
            fmaf(pixel.transmittance, background.blue, pixel.blue)};
  }
};

struct SnowInOrder {
  static constexpr bool front_to_back = false;
  static constexpr bool flat = false;

  static __device__ Candidate fetch(const Circles& circles, int i) { return {circles.shapes[i], {1, 1, 1}}; }
  static __device__ Prepared prepare(const Candidate& flake) {
    constexpr float log2_of_e = 1.44269504f;
    const float radius_squared = flake.shape.z * flake.shape.z;
    const float most_alpha = 0.5f * fminf(fmaxf(0.6f + 0.4f * (1 - flake.shape.w), 0.0f), 1.0f);
    return {flake.shape.x, flake.shape.y, radius_squared, most_alpha,
            make_float4(-4 * log2_of_e / radius_squared, 16 / radius_squared, 0, 0)};
  }
  static __device__ Blend start(const Rgb& background) { return FlatInOrder::start(background); }
  // The ramp of shade_snowflake() in cpu_reference.h: red falls by 0.2 in its second quarter, green by 0.1 in
  // the second and 0.1 in the fourth, blue stays 1.
  static __device__ void blend(Blend& pixel, const Prepared& flake, float distance_squared) {
    const float alpha = flake.extra * fast_exp2(flake.paint.x * distance_squared);
    const float along = fast_sqrt(flake.paint.y * distance_squared);  // 0..4
    const float second = __saturatef(along - 1), fourth = __saturatef(along - 3);
    pixel.red = fmaf(alpha, fmaf(-0.2f, second, 1.0f) - pixel.red, pixel.red);
    pixel.green = fmaf(alpha, fmaf(-0.1f, second + fourth, 1.0f) - pixel.green, pixel.green);
    pixel.blue = fmaf(alpha, 1 - pixel.blue, pixel.blue);
  }
  static __device__ Rgb finish(const Blend& pixel, const Rgb& background) {
    return FlatInOrder::finish(pixel, background);
  }
};

/// The index of the circle that comes n-th when going through them in the shading's direction.
template <class Shading>
__device__ inline int nth_circle(int n, int count) {
  return Shading::front_to_back ? count - 1 - n : n;
}

/// Calls launch(shading) with the shading in input order that suits the scene.
template <class Launch>
void with_shading_in_order(const Scene& scene, Launch launch) {
  if (scene.snowflakes)
    launch(SnowInOrder{});
  else
    launch(FlatInOrder{});
}
